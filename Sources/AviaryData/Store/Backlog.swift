import Synchronization

/// What waits for the store, bounded, so that a store that is slow or stopped costs neither memory nor patience without
/// end: what does not fit is refused at once.
final class Backlog: Sendable {
    /// Eight full batches.
    private static let jobLimit = 4096
    /// As many as one import of a large file. Texts are not counted: a change with long ones weighs no more.
    private static let changeLimit = 1_000_000

    private let jobs = Atomic<Int>(0)
    private let changes = Atomic<Int>(0)

    var jobCount: Int { jobs.load(ordering: .relaxed) }

    /// Counts the job in; false when there is no room. One job alone always fits.
    ///
    /// - Parameter size: The number of its changes.
    func enter(size: Int) -> Bool {
        let jobCount = jobs.add(1, ordering: .relaxed).newValue
        let changeCount = changes.add(size, ordering: .relaxed).newValue
        guard jobCount > 1, jobCount > Self.jobLimit || changeCount > Self.changeLimit else { return true }
        leave(size: size)
        return false
    }

    func leave(size: Int) {
        jobs.subtract(1, ordering: .relaxed)
        changes.subtract(size, ordering: .relaxed)
    }
}
