import Dispatch
package import Foundation
import Synchronization

extension Thread {
    /// Does work on a new thread that gives way to the others of the machine, and waits for it on this one.
    ///
    /// On Linux a thread begins with the priority of the one that makes it and cannot raise it again. So nothing may go
    /// on from the thread that gave way: what it woke could make the next thread of the cooperative pool, which would
    /// then serve pages with that priority.
    ///
    /// - Parameter niceness: From 0, the one that asks, to 19; as `nice` has it. Where it is not permitted, or the
    ///   system has no priorities of threads, the work is only less polite.
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
