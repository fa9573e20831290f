import Dispatch
package import Foundation
import Synchronization

extension Thread {
    /// Runs work on a new thread of low priority, and waits for it on this thread.
    ///
    /// On Linux, a thread begins with the priority of the thread that creates it and cannot raise it again. So nothing
    /// may continue from the low-priority thread: what it wakes could create the next thread of the cooperative pool,
    /// which would then serve pages with this priority.
    ///
    /// - Parameter niceness: The niceness from 0, that of the caller, to 19, as for `nice`. Where the system does not
    ///   permit it, or has no priorities of threads, the work runs with the priority of the caller.
    package static func givingWay<Value: Sendable>(niceness: Int32, _ work: @escaping @Sendable () -> Value) -> Value {
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
        // It is there when it has arrived; were it not, the work would be done here rather than nothing be answered.
        return outcome.value.withLock { $0 } ?? work()
    }
}

private final class Outcome<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
    let arrived = DispatchSemaphore(value: 0)
}
