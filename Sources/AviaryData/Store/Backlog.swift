import Synchronization

/// The bounded queue of the store.
///
/// A store that is slow or stopped then costs neither memory nor patience without end. The queue rejects what does not
/// fit at once.
final class Backlog: Sendable {
    /// Eight full batches.
    private static let jobLimit = 4096
    /// The greatest number of changes, which is that of one import of a large file.
    private static let changeLimit = 1_000_000
    private static let byteLimit = 256 * 1024 * 1024

    private let jobs = Atomic<Int>(0)
    private let changes = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    var jobCount: Int { jobs.load(ordering: .relaxed) }

    /// Counts the job in; false when there is no room. One job alone always fits.
    func enter(_ work: Job.Work) -> Bool {
        let jobCount = jobs.add(1, ordering: .relaxed).newValue
        let changeCount = changes.add(work.size, ordering: .relaxed).newValue
        let byteCount = bytes.add(work.bytes, ordering: .relaxed).newValue
        let isFull = jobCount > Self.jobLimit || changeCount > Self.changeLimit || byteCount > Self.byteLimit
        guard jobCount > 1, isFull else { return true }
        leave(work)
        return false
    }

    func leave(_ work: Job.Work) {
        jobs.subtract(1, ordering: .relaxed)
        changes.subtract(work.size, ordering: .relaxed)
        bytes.subtract(work.bytes, ordering: .relaxed)
    }
}
