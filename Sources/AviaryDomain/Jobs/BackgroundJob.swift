/// A job that continues after the response to the request that began it. Its state is stored, so that every process
/// can read it.
package protocol BackgroundJob: Sendable, Codable {
    var state: JobState { get set }
}

package enum JobState: String, Sendable, Hashable, Codable {
    case running, done, failed
    /// The state of a job whose process ended before the job did.
    case interrupted
}

/// A place in which a background job records its progress.
package protocol JobNotes<Job>: Sendable {
    associatedtype Job: BackgroundJob

    /// Records a change of the job, which is written from time to time.
    func note(_ change: @Sendable (inout Job) -> Void) async
    /// Records a change of the job and writes it before the method returns.
    func keep(_ change: @Sendable (inout Job) -> Void) async throws
}
