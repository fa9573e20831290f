/// Work that goes on after the answer to whoever began it. What is known of it is kept where every process finds it.
package protocol BackgroundJob: Sendable, Codable {
    var state: JobState { get set }
}

package enum JobState: String, Sendable, Hashable, Codable {
    case running, done, failed
    /// The process that did it ended.
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
