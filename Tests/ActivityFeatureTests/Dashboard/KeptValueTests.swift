@testable import ActivityFeature
import Foundation
import Synchronization
import Testing

@Suite("A value that is kept for a while")
struct KeptValueTests {
    private final class Counter: Sendable {
        private let state = Mutex(0)
        func next() -> Int { state.withLock { $0 += 1; return $0 } }
        var count: Int { state.withLock { $0 } }
    }

    @Test("Is found out once, however many ask at once")
    func once() async {
        let counter = Counter()
        let value = KeptValue(for: .seconds(600)) {
            try await Task.sleep(for: .milliseconds(30))
            return counter.next()
        }
        let found = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<20 { group.addTask { await value.current() } }
            return await group.reduce(into: Set<Int?>()) { $0.insert($1) }
        }
        #expect(found == [1] && counter.count == 1)
    }

    @Test("When its time is over, whoever asks has the old one at once and the next the new one")
    func renewed() async throws {
        let counter = Counter()
        let value = KeptValue(for: .zero) { counter.next() }
        #expect(await value.current() == 1)
        _ = await value.current()
        while counter.count < 2 { await Task.yield() }
        var last: Int? = 1
        while last == 1 { last = await value.current() }
        #expect((last ?? 0) >= 2)
    }

    @Test("What cannot be found out keeps nobody waiting, and is tried again")
    func failing() async {
        struct Failure: Error {}
        let counter = Counter()
        let value = KeptValue<Int>(for: .zero) {
            guard counter.next() > 1 else { throw Failure() }
            return 7
        }
        #expect(await value.current() == nil)
        var found: Int?
        while found == nil { found = await value.current() }
        #expect(found == 7)
    }

    @Test("What takes long is not waited for")
    func slow() async {
        let value = KeptValue(for: .seconds(600)) {
            try await Task.sleep(for: .seconds(600))
            return 1
        }
        let start = ContinuousClock.now
        #expect(await value.current() == nil)
        #expect(start.duration(to: .now) < .seconds(60))
    }
}
