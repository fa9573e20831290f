/// A process that was killed during the run.
package struct Kill: Sendable, Hashable, Encodable {
    /// `store`, `worker`, or `server` where both are one process.
    package let process: String
    package let pid: Int32
    /// Since the start of the load.
    package let seconds: Double
}
