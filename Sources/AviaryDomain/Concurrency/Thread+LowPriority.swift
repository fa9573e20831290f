import Dispatch
package import Foundation
import Synchronization

extension Thread {
    /// Runs work on a new thread of low priority, and waits for it on this thread.
    ///
    /// On Linux, a thread starts with the priority of the thread that creates it and cannot raise it again.
    /// Therefore nothing may continue from the low-priority thread: it could wake a task that creates the next
    /// thread of the cooperative pool, which would then serve pages with this priority.
    ///
    /// - Parameters:
    ///   - niceness: The niceness from 0, that of the caller, to 19, as for `nice`. If the system does not permit
    ///     it, or has no thread priorities, the work runs with the priority of the caller.
    ///   - work: The work to run.
    package static func withLowPriority<Value: Sendable>(niceness: Int32, _ work: @escaping @Sendable () -> Value)
        -> Value
    {
        let outcome = Outcome<Value>()
        detachNewThread {
            #if os(Linux)
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
            #endif
            let value = work()
            outcome.value.withLock { $0 = value }
            outcome.arrived.signal()
        }
        outcome.arrived.wait()
        // The value is always present after the signal. The fallback avoids a force unwrap.
        return outcome.value.withLock { $0 } ?? work()
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let arrived = DispatchSemaphore(value: 0)
}
