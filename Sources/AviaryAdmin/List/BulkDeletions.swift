import AviaryDomain
import BrowseFeature
import Foundation

/// The deletes of many records that this worker has begun, by the ids of their change sets.
///
/// The store knows a delete that it makes or has made. The worker that began it also knows why one was refused.
actor BulkDeletions {
    enum State: Sendable {
        case running
        case ended(DeleteOutcome)
    }

    /// The number of ended deletes that are remembered.
    private static let mostEnded = 100

    private var states: [UUID: State] = [:]
    private var ended: [UUID] = []
    private var stopped: Set<UUID> = []

    /// Returns the state of a delete; nil for one that this worker does not know.
    func state(of changeSet: UUID) -> State? { states[changeSet] }

    /// Begins a delete unless it is under way.
    func begin(_ changeSet: UUID, _ delete: @escaping @Sendable () async -> DeleteOutcome) {
        if case .running? = states[changeSet] { return }
        states[changeSet] = .running
        stopped.remove(changeSet)
        ended.removeAll { $0 == changeSet }
        Task {
            let outcome = await delete()
            end(changeSet, outcome)
        }
    }

    /// Marks a delete as stopped, so that one whose records are still looked up does not begin.
    func stop(_ changeSet: UUID) {
        if case .running? = states[changeSet] { stopped.insert(changeSet) }
    }

    func isStopped(_ changeSet: UUID) -> Bool { stopped.contains(changeSet) }

    private func end(_ changeSet: UUID, _ outcome: DeleteOutcome) {
        states[changeSet] = .ended(outcome)
        stopped.remove(changeSet)
        ended.append(changeSet)
        if ended.count > Self.mostEnded { states[ended.removeFirst()] = nil }
    }
}
