import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("A background thread runs one task at a time", .timeLimit(.minutes(Patience.minutes)))
struct BackgroundThreadTests {
    /// Work that begins and waits until it may end.
    private final class Gate: Sendable {
        let began = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)

        func pass() -> Bool {
            began.signal()
            mayEnd.wait()
            return true
        }
    }

    /// A value that tasks share, because they cannot capture a local `Mutex`.
    private final class Shared<Value: Sendable>: Sendable {
        private let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }

        func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result {
            value.withLock(body)
        }
    }

    private let thread = BackgroundThread(name: "test", limit: 2)

    @Test("Tasks run in the order in which they were submitted")
    func order() async throws {
        let gate = Gate(), order = Shared<[Int]>([])
        let first = Task { try await thread.run { gate.pass() } }
        await onThread { gate.began.wait() }
        let others = try await (1...2).asyncMap { index in
            let task = Task { try await thread.run { order.withLock { $0.append(index) } } }
            try await until { thread.length == index }
            return task
        }
        #expect(order.withLock { $0 } == [])
        gate.mayEnd.signal()
        #expect(try await first.value)
        for task in others { try await task.value }
        #expect(order.withLock { $0 } == [1, 2])
    }

    @Test("A full queue rejects a task immediately and accepts tasks again when it is shorter")
    func full() async throws {
        let gate = Gate()
        let first = Task { try await thread.run { gate.pass() } }
        await onThread { gate.began.wait() }
        let waiting = try await (1...2).asyncMap { index in
            let task = Task { try await thread.run { true } }
            try await until { thread.length == index }
            return task
        }
        await #expect { try await thread.run { true } } throws: { error in
            if case BackgroundThread.Refusal.full(waiting: 2) = error { true } else { false }
        }
        gate.mayEnd.signal()
        for task in [first] + waiting { #expect(try await task.value) }
        #expect(try await thread.run { true })
    }

    @Test("A waiting task that is cancelled never begins and leaves the queue immediately")
    func cancelled() async throws {
        let gate = Gate(), hasBegun = Shared(false)
        let first = Task { try await thread.run { gate.pass() } }
        await onThread { gate.began.wait() }
        let second = Task { try await thread.run { hasBegun.withLock { $0 = true } } }
        try await until { thread.length == 1 }
        second.cancel()
        await #expect(throws: BackgroundThread.Refusal.self) { try await second.value }
        #expect(thread.length == 0)
        gate.mayEnd.signal()
        _ = try await first.value
        #expect(!hasBegun.withLock { $0 })
    }

    @Test("A task that is cancelled before it is submitted never begins")
    func cancelledBefore() async throws {
        let task = Task {
            try await until { Task.isCancelled }
            return try await thread.run { Issue.record("It has begun.") }
        }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test("Thousands of submitted and cancelled tasks leave none waiting")
    func storm() async throws {
        let thread = BackgroundThread(name: "test", limit: 8)
        let count = Shared(0)
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let task = Task { try await thread.run { count.withLock { $0 += 1 } } }
                    if index % 3 == 0 { task.cancel() }
                    return (try? await task.value) != nil  // rejections are expected
                }
            }
            var done = 0
            for await isDone in group where isDone { done += 1 }
            #expect(done == count.withLock { $0 })
            #expect(done > 0)
        }
        #expect(thread.length == 0)
    }

    @Test("On Linux, the background thread runs with a lower priority than serving threads")
    func priority() async throws {
        #if os(Linux)
            let process = __priority_which_t(PRIO_PROCESS.rawValue)
            // A thread starts with the priority of the thread that creates it. Here that thread may have a low
            // priority already.
            let outside = getpriority(process, 0)
            let inside = try await thread.run { getpriority(process, 0) }
            // Not every user may raise a thread's priority.
            #expect(inside == 5 || outside > 5 && inside == outside, "\(inside), begun by \(outside)")
        #endif
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}

/// Waits until the condition holds. The test's time limit ends the wait.
private func until(_ condition: @Sendable () -> Bool) async throws {
    while !condition() { try? await Task.sleep(for: .milliseconds(1)) }  // also in a task that is cancelled
}
