import CSQLite
import Dispatch

/// Ends the work of a connection that takes too long, or that nobody waits for any more.
final class WorkBounds {
    /// Of SQLite's virtual machine: well below a millisecond, so that looking at the clock costs nothing.
    private static let operationsBetweenChecks: Int32 = 10_000

    private let connection: Connection
    private let current = Current()

    init(on connection: Connection) {
        self.connection = connection
        sqlite3_progress_handler(connection.handle, Self.operationsBetweenChecks, { context in
            guard let context else { return 0 }
            return Unmanaged<Current>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
        }, Unmanaged.passUnretained(current).toOpaque())
    }

    deinit {
        if let handle = connection.handle { sqlite3_progress_handler(handle, 0, nil, nil) }
    }

    /// Each work has an interruption of its own: one that comes late cannot hit what the connection does next.
    func begin(limit: Duration, interruption: Interruption?) {
        current.deadline = DispatchTime.now().uptimeNanoseconds + limit.nanoseconds
        current.interruption = interruption
    }

    func end() {
        current.deadline = .max
        current.interruption = nil
    }

    /// Used on the thread that works with the connection, where SQLite calls the handler too.
    private final class Current {
        var deadline = UInt64.max
        var interruption: Interruption?

        var isOver: Bool {
            interruption?.isRequested == true || DispatchTime.now().uptimeNanoseconds > deadline
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}
