import Foundation
import TestSupport
import Testing

@testable import AviaryDomain

#if os(Linux)
    @Suite("Low-priority work")
    struct GivingWayTests {
        private static var priority: Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

        @Test("A lower priority applies to the work only, not to the waiting thread or its new threads")
        func priorities() async {
            // The threads of tests may have been created by one with a lower priority.
            let (before, inside, after, next) = await onThread {
                let before = Self.priority
                let inside = Thread.withLowPriority(niceness: 10) { Self.priority }
                let after = Self.priority
                let ended = DispatchSemaphore(value: 0), next = Box()
                Thread.detachNewThread {
                    next.number = Self.priority
                    ended.signal()
                }
                ended.wait()
                return (before, inside, after, next.number)
            }
            #expect(inside == max(before, 10))
            #expect(after == before)
            #expect(next == before)
        }

        // One thread writes the number, and the other reads it after the semaphore is signalled.
        private final class Box: @unchecked Sendable {
            var number: Int32 = -1
        }

        @Test("Low-priority work returns its result")
        func answer() async {
            #expect(await onThread { Thread.withLowPriority(niceness: 19) { "done" } } == "done")
        }
    }
#endif
