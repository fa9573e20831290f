import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ActivityFeature

@Suite("Cached values", .timeLimit(.minutes(Patience.minutes)))
struct CachedValueTests {
    private final class Counter: Sendable {
        private let state = Mutex(0)
        func next() -> Int {
            state.withLock {
                $0 += 1; return $0
            }
        }
        var count: Int { state.withLock { $0 } }
    }

    /// A gate at which a computation waits until the test opens it.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var arrivals: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false

        func pass() async {
            if isOpen { return }
            await withCheckedContinuation { continuation in
                waiting.append(continuation)
                for arrival in arrivals { arrival.resume() }
                arrivals = []
            }
        }

        /// Waits until a computation is waiting at the gate.
        func arrival() async {
            if !waiting.isEmpty { return }
            await withCheckedContinuation { arrivals.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test("Concurrent requests compute the value once")
    func once() async {
        let counter = Counter(), gate = Gate()
        let value = CachedValue(for: .seconds(600), patience: Patience.bound) {
            await gate.pass()
            return counter.next()
        }
        let found = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { await value.current() } }
            await gate.arrival()
            await gate.open()
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(found == [1] && counter.count == 1)
    }

    @Test("An expired value is returned while a new one is computed")
    func renewed() async throws {
        let counter = Counter(), gate = Gate()
        let value = CachedValue(for: .zero, patience: Patience.bound) {
            let number = counter.next()
            if number == 2 { await gate.pass() }
            return number
        }
        #expect(await value.current() == 1)
        // The second computation is running and cannot end before the gate is open.
        #expect(await value.current() == 1)
        await gate.arrival()
        #expect(await value.current() == 1 && counter.count == 2)
        await gate.open()
        while await value.current() == 1 { await Task.yield() }
        #expect(counter.count >= 2)
    }

    @Test("An outdated value is replaced before its time is over, for the caller who knows that it is")
    func outdated() async {
        let counter = Counter()
        let value = CachedValue(for: .seconds(600), patience: Patience.bound) { counter.next() }
        #expect(await value.current() == 1)
        #expect(await value.current { $0 != 1 } == 1, "It is not outdated.")
        // The time of a computation limits how often outdated values are replaced.
        var found = await value.current { $0 < 2 }
        while found == 1 {
            await Task.yield()
            found = await value.current { $0 < 2 }
        }
        #expect(found == 2 && counter.count == 2)
        #expect(await value.current() == 2)
    }

    @Test("An outdated value is better than none when no other can be found out")
    func outdatedAndFailing() async {
        struct Failure: Error {}
        let counter = Counter()
        let value = CachedValue<Int>(for: .zero, patience: Patience.bound) {
            guard counter.next() == 1 else { throw Failure() }
            return 7
        }
        #expect(await value.current() == 7)
        #expect(await value.current { _ in true } == 7)
    }

    @Test("A failed computation returns nil and is retried")
    func failing() async {
        struct Failure: Error {}
        let counter = Counter()
        let value = CachedValue<Int>(for: .zero, patience: Patience.bound) {
            guard counter.next() > 1 else { throw Failure() }
            return 7
        }
        #expect(await value.current() == nil)
        #expect(await value.current() == 7)
    }

    @Test("A slow computation returns nil and caches its value for later requests")
    func slow() async {
        let gate = Gate()
        let value = CachedValue(for: .seconds(600), patience: .milliseconds(20)) {
            await gate.pass()
            return 1
        }
        #expect(await value.current() == nil, "the gate is closed")
        await gate.open()
        while await value.current() == nil { await Task.yield() }
        #expect(await value.current() == 1)
    }
}
