import CSQLite
import Synchronization

@testable import AviaryData

/// Counts how often a connection lost its whole transaction; going back to a savepoint does not count.
final class RollbackCounter: Sendable {
    private let rollbacks = Atomic<Int>(0)

    var count: Int { rollbacks.load(ordering: .relaxed) }

    /// The counter must outlive the connection's work.
    func follow(_ connection: any Connection) {
        sqlite3_rollback_hook(
            connection.handle,
            { context in
                guard let context else { return }
                let counter = Unmanaged<RollbackCounter>.fromOpaque(context).takeUnretainedValue()
                counter.rollbacks.add(1, ordering: .relaxed)
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
