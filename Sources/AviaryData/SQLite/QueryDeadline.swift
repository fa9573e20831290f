import CSQLite
import Dispatch
import Synchronization

/// The bounds of a connection's work: a time limit and an interruption.
///
/// The object is used on the connection's thread, on which SQLite also calls the progress handler.
final class QueryDeadline {
    /// The number of virtual machine operations between checks. They take well below a millisecond, and reading the
    /// clock that often costs nothing.
    private static let operationsBetweenChecks: Int32 = 10_000

    private var deadline = UInt64.max
    private var cancellationToken: CancellationToken?
    /// Indicates whether the bounds are suspended.
    var isSuspended = false

    /// Installs the bounds on a handle. They must outlive the handle, or be removed.
    func install(on handle: OpaquePointer?) {
        sqlite3_progress_handler(
            handle, Self.operationsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    static func remove(from handle: OpaquePointer?) {
        if let handle { sqlite3_progress_handler(handle, 0, nil, nil) }
    }

    func begin(limit: Duration, cancellationToken: CancellationToken?) {
        deadline = DispatchTime.now().uptimeNanoseconds + limit.nanoseconds
        self.cancellationToken = cancellationToken
    }

    func end() {
        deadline = .max
        cancellationToken = nil
    }

    private var isOver: Bool {
        guard !isSuspended else { return false }
        return cancellationToken?.isRequested == true || DispatchTime.now().uptimeNanoseconds > deadline
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// An interrupter of a connection's work, which any thread can call.
///
/// Integrity checks walk whole B-trees without calling ``QueryDeadline``.
final class SQLiteInterrupter: ConnectionInterrupter {
    /// A container for the handle.
    ///
    /// It is safe to send: `sqlite3_interrupt` may be called on any thread while the connection is open. The lock
    /// is held during the call, and acquired before the connection closes.
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
