import CSQLite
import Synchronization

/// Interrupts what a connection does, from any thread. Integrity checks walk whole trees without asking ``WorkBounds``.
final class SQLiteInterrupter: ConnectionInterrupter {
    /// Safe to send: `sqlite3_interrupt` may be called on any thread while the connection is open, and the lock is held
    /// over the call and taken before the connection closes.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Mutex<Handle?>

    init(_ connection: SQLiteConnection) {
        handle = Mutex(connection.handle.map(Handle.init))
    }

    func interrupt() {
        handle.withLock { handle in
            if let handle { sqlite3_interrupt(handle.pointer) }
        }
    }

    func detach() {
        handle.withLock { $0 = nil }
    }
}
