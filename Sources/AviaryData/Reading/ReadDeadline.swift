import CSQLite
import Dispatch

/// Interrupts a read that takes too long: reads run in place, on threads that serve others too.
final class ReadDeadline {
    static let secondsOfWork: UInt64 = 2
    /// Of SQLite's virtual machine: well below a millisecond, so that looking at the clock costs nothing.
    private static let operationsBetweenChecks: Int32 = 10_000

    private let deadline = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    private let connection: Connection

    init(on connection: Connection) {
        self.connection = connection
        deadline.initialize(to: .max)
        sqlite3_progress_handler(connection.handle, Self.operationsBetweenChecks, { context in
            guard let deadline = context?.assumingMemoryBound(to: UInt64.self).pointee else { return 0 }
            return DispatchTime.now().uptimeNanoseconds > deadline ? 1 : 0
        }, deadline)
    }

    deinit {
        sqlite3_progress_handler(connection.handle, 0, nil, nil)
        deadline.deallocate()
    }

    func begin() {
        deadline.pointee = DispatchTime.now().uptimeNanoseconds + Self.secondsOfWork * 1_000_000_000
    }
}
