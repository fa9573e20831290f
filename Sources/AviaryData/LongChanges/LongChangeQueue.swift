import AviaryDomain
import Foundation

/// The long change under way with the jobs that wait for it.
struct LongChangeQueue {
    /// The change under way; nil if there is none.
    var change: LongChange?
    /// The records whose delete it was requested to do and that are not noted yet.
    var roots: ArraySlice<DeleteRoot> = []
    /// The id of the change that is to be stopped; nil if none is.
    var stopped: UUID?
    /// The jobs that requested it. They are answered when it is committed or was refused.
    var requests: [Job] = []
    /// The jobs that request other long changes, in their order.
    var waiting: [Job] = []
    /// The jobs that concern rows of the change.
    var held: [(job: Job, end: PendingCollision.End)] = []
    var isScheduled = false

    var isEmpty: Bool { change == nil && waiting.isEmpty }

    /// Removes and returns all jobs that wait.
    mutating func removeJobs() -> [Job] {
        defer { (requests, waiting, held) = ([], [], []) }
        return requests + waiting + held.map(\.job)
    }

    /// Removes and returns the jobs that have waited for too long. Those that are under way remain.
    mutating func removeLateJobs(_ uptime: () -> MonotonicTime) -> [(job: Job, error: StoreError)] {
        let late = (waiting + held.map(\.job)).compactMap { job in job.lateness(uptime).map { (job, $0) } }
        guard !late.isEmpty else { return [] }
        waiting.removeAll { $0.lateness(uptime) != nil }
        held.removeAll { $0.job.lateness(uptime) != nil }
        return late
    }
}
