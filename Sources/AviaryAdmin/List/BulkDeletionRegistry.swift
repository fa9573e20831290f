import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation

/// The deletes that this worker has begun, by the ids of their change sets.
///
/// The store knows a delete that it makes or has made. The worker that began it also knows why one was refused.
actor BulkDeletionRegistry {
    enum State: Sendable {
        case running
        case ended(DeleteOutcome)
    }

    /// The time after which the progress of a delete is shown. Most deletes are shorter, so that the person sees the
    /// result at once.
    static let patience: Duration = .seconds(1)
    /// The time for which the store may take one request to stop a delete. A store that hangs finds it behind the delete.
    static let stopPatience: Duration = .seconds(60)
    /// The time after which a store that cannot be asked is not asked any more.
    private static let longestStop: Duration = .seconds(600)
    /// The first and the longest pause between two requests to stop a delete.
    private static let pauses: (first: Duration, longest: Duration) = (.milliseconds(100), .seconds(5))
    /// The number of ended deletes that are remembered.
    private static let mostEnded = 100

    private var states: [UUID: State] = [:]
    private var ended: [UUID] = []
    /// The deletes that the store has not answered, and may make although it refuses a repetition.
    private var unconfirmed: Set<UUID> = []
    private var stops: [UUID: @Sendable () async throws -> Void] = [:]
    private var stopped: Set<UUID> = []
    private var waiting: [UUID: [AsyncStream<DeleteOutcome>.Continuation]] = [:]

    /// Returns the state of a delete; nil for one that this worker does not know.
    func state(of changeSet: UUID) -> State? { states[changeSet] }

    func isRunning(_ changeSet: UUID) -> Bool {
        if case .running? = states[changeSet] { true } else { false }
    }

    /// Begins a delete unless it is under way.
    ///
    /// - Parameter stop: A closure that makes the store stop the delete for good. It throws if the store cannot be asked.
    func begin(
        _ changeSet: UUID, stop: @escaping @Sendable () async throws -> Void,
        _ delete: @escaping @Sendable () async -> DeleteOutcome
    ) {
        guard !isRunning(changeSet) else { return }
        states[changeSet] = .running
        stops[changeSet] = stop
        stopped.remove(changeSet)
        ended.removeAll { $0 == changeSet }
        Task { end(changeSet, await delete()) }
    }

    /// Waits until a delete has ended, and returns its outcome; nil if it is still running after the time, or unknown.
    func outcome(of changeSet: UUID, within time: Duration) async -> DeleteOutcome? {
        switch states[changeSet] {
        case .ended(let outcome): return outcome
        case nil: return nil
        case .running: break
        }
        let (outcomes, continuation) = AsyncStream<DeleteOutcome>.makeStream()
        waiting[changeSet, default: []].append(continuation)
        let timer = Task {
            try await Task.sleep(for: time)
            continuation.finish()
        }
        defer { timer.cancel() }
        for await outcome in outcomes { return outcome }
        return nil
    }

    /// Stops a delete that is under way or was not answered. One whose records are still looked up does not begin.
    ///
    /// - Returns: False if this worker does not make the delete.
    func stop(_ changeSet: UUID) -> Bool {
        guard isRunning(changeSet) || unconfirmed.contains(changeSet), let stop = stops[changeSet] else { return false }
        guard stopped.insert(changeSet).inserted else { return true }
        Task {
            let end = ContinuousClock.now + Self.longestStop
            var pause = Self.pauses.first
            while isStopped(changeSet), ContinuousClock.now < end {
                do {
                    try await stop()
                    break
                } catch {
                    // A store that cannot be asked is asked again.
                    try await Task.sleep(for: pause)
                    pause = min(pause * 2, Self.pauses.longest)
                }
            }
            stopped.remove(changeSet)
        }
        return true
    }

    /// Indicates whether the person has stopped the delete and the store does not know it yet.
    func isStopped(_ changeSet: UUID) -> Bool { stopped.contains(changeSet) }

    private func end(_ changeSet: UUID, _ outcome: DeleteOutcome) {
        var outcome = outcome
        switch outcome {
        case .unconfirmed: unconfirmed.insert(changeSet)
        case .refused(_, isTemporary: true, _) where unconfirmed.contains(changeSet),
            .stopped where unconfirmed.contains(changeSet):
            outcome = .unconfirmed(reason: localized("Couldn’t confirm the delete. Reload the page to check."))
        case .deleted, .question, .refused, .stopped: break
        }
        states[changeSet] = .ended(outcome)
        for continuation in waiting.removeValue(forKey: changeSet) ?? [] {
            continuation.yield(outcome)
            continuation.finish()
        }
        ended.append(changeSet)
        if ended.count > Self.mostEnded, let oldest = ended.firstIndex(where: { !stopped.contains($0) }) {
            forget(ended.remove(at: oldest))
        }
    }

    private func forget(_ changeSet: UUID) {
        states[changeSet] = nil
        stops[changeSet] = nil
        unconfirmed.remove(changeSet)
    }
}
