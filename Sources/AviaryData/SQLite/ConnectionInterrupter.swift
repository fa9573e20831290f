import CSQLite
import Synchronization

/// Interrupts what a connection does, from any thread. Integrity checks walk whole trees without asking ``WorkBounds``.
///
/// For a connection that does one work only: the interrupt hits whatever it does at that moment.
final class ConnectionInterrupter: Sendable {
    /// Safe to send: `sqlite3_interrupt` may be called on any thread while the connection is open, and the lock is held
    /// over the call and taken before the connection closes.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Mutex<Handle?>

    init(_ connection: Connection) {
        handle = Mutex(connection.handle.map(Handle.init))
    }

    func interrupt() {
        handle.withLock { handle in
            if let handle { sqlite3_interrupt(handle.pointer) }
        }
    }

    /// To be called before the connection closes.
    func detach() {
        handle.withLock { $0 = nil }
    }
}
