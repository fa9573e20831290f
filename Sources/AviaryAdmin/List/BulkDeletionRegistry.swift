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
    /// The number of ended deletes that are remembered.
    private static let mostEnded = 100
    /// The pause after which the store is asked again to stop a delete.
    private static let pause: Duration = .milliseconds(100)
    /// The time for which the store may take the request to stop a delete. A store that hangs finds it behind the delete.
    static let stopPatience: Duration = .seconds(60)

    private var states: [UUID: State] = [:]
    private var ended: [UUID] = []
    private var stops: [UUID: @Sendable () async throws -> Void] = [:]
    private var stopped: Set<UUID> = []
    /// The outcomes of the deletes without an answer. The store may make them although it refuses a repetition.
    private var unconfirmed: [UUID: DeleteOutcome] = [:]
    private var waiting: [UUID: [AsyncStream<DeleteOutcome>.Continuation]] = [:]

    /// Returns the state of a delete; nil for one that this worker does not know.
    func state(of changeSet: UUID) -> State? { states[changeSet] }

    func isRunning(_ changeSet: UUID) -> Bool {
        if case .running? = states[changeSet] { true } else { false }
    }

    /// Begins a delete unless it is under way.
    ///
    /// - Parameter stop: A closure that makes the store stop the delete. It throws if the store cannot be asked.
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

    /// Stops a delete that is under way. One whose records are still looked up does not begin.
    ///
    /// - Returns: False if this worker does not make the delete.
    func stop(_ changeSet: UUID) -> Bool {
        guard isRunning(changeSet), let stop = stops[changeSet] else { return false }
        guard stopped.insert(changeSet).inserted else { return true }
        Task {
            while isStopped(changeSet) {
                do {
                    try await stop()
                    if !isRunning(changeSet) { stopped.remove(changeSet) }
                    return
                } catch {
                    // A store that cannot be asked is asked again.
                    try await Task.sleep(for: Self.pause)
                }
            }
        }
        return true
    }

    func isStopped(_ changeSet: UUID) -> Bool { stopped.contains(changeSet) }

    private func end(_ changeSet: UUID, _ outcome: DeleteOutcome) {
        var outcome = outcome
        switch outcome {
        case .unconfirmed: unconfirmed[changeSet] = outcome
        case .refused(_, isTemporary: true, _):
            if let earlier = unconfirmed[changeSet] {
                outcome = earlier
            } else if isStopped(changeSet) {
                // It has nothing to continue.
                outcome = .stopped
            }
        case .deleted, .question, .refused, .stopped: unconfirmed[changeSet] = nil
        }
        states[changeSet] = .ended(outcome)
        for continuation in waiting.removeValue(forKey: changeSet) ?? [] {
            continuation.yield(outcome)
            continuation.finish()
        }
        stops[changeSet] = nil
        // The store may still make a delete without an answer, so that it is asked on to stop it.
        if unconfirmed[changeSet] == nil { stopped.remove(changeSet) }
        ended.append(changeSet)
        if ended.count > Self.mostEnded { forget(ended.removeFirst()) }
    }

    private func forget(_ changeSet: UUID) {
        states[changeSet] = nil
        unconfirmed[changeSet] = nil
        stopped.remove(changeSet)
    }
}
