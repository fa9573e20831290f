import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("Asynchronous semaphore")
struct AsyncSemaphoreTests {
    private final class Tally: Sendable {
        let working = Mutex(0)
        let done = Mutex(0)
    }

    @Test("Two of five tasks run at a time, and a task that throws releases its place")
    func bound() async throws {
        let places = AsyncSemaphore(2), mayEnd = Event()
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try? await places.use {
                        tally.working.withLock { $0 += 1 }
                        _ = await mayEnd.happens()
                        tally.working.withLock { $0 -= 1 }
                        tally.done.withLock { $0 += 1 }
                        // The place is released in spite of the error.
                        if number == 0 { throw CancellationError() }
                    }
                }
            }
            try await eventually("two work and three wait") {
                tally.working.withLock { $0 } == 2 && places.waiting == 3
            }
            mayEnd.happen()
            try await group.waitForAll()
        }
        #expect(tally.done.withLock { $0 } == 5)
        #expect(try await places.use { 1 } == 1)
    }
}
