import CSQLite
import Dispatch
import Synchronization

/// Ends the work of a connection that takes too long, or that nobody waits for any more. Used on the thread that works
/// with the connection, where SQLite asks too.
final class WorkBounds {
    /// Of SQLite's virtual machine: well below a millisecond, so that looking at the clock costs nothing.
    private static let operationsBetweenChecks: Int32 = 10_000

    private var deadline = UInt64.max
    private var interruption: Interruption?
    /// Whether nothing ends the work for now.
    var isSuspended = false

    /// The bounds must outlive the handle, or be removed.
    func install(on handle: OpaquePointer?) {
        sqlite3_progress_handler(
            handle, Self.operationsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<WorkBounds>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    static func remove(from handle: OpaquePointer?) {
        if let handle { sqlite3_progress_handler(handle, 0, nil, nil) }
    }

    func begin(limit: Duration, interruption: Interruption?) {
        deadline = DispatchTime.now().uptimeNanoseconds + limit.nanoseconds
        self.interruption = interruption
    }

    func end() {
        deadline = .max
        interruption = nil
    }

    private var isOver: Bool {
        guard !isSuspended else { return false }
        return interruption?.isRequested == true || DispatchTime.now().uptimeNanoseconds > deadline
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

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
