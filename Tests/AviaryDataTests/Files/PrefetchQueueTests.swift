import Synchronization
import Testing

@testable import AviaryData

@Suite("Prefetch queue")
struct PrefetchQueueTests {
    private struct Failure: Error {}

    @Test("Elements arrive in order, followed by the error of the producer", arguments: [false, true])
    func order(fails: Bool) throws {
        let numbers = PrefetchQueue { output in
            for number in 0..<1_000 { try output.hand(over: number) }
            if fails { throw Failure() }
        }
        for number in 0..<1_000 { #expect(try numbers.next() == number) }
        if fails {
            #expect(throws: Failure.self) { try numbers.next() }
            #expect(throws: Failure.self, "and again") { try numbers.next() }
        } else {
            #expect(try numbers.next() == nil)
            #expect(try numbers.next() == nil, "and again")
        }
        numbers.abandon()
    }

    @Test("The producer waits for free places, and an oversized element waits for an empty queue")
    func bounded() throws {
        let made = Mutex(0)
        let numbers = PrefetchQueue<Int>(places: 4) { output in
            for number in 0..<100 {
                made.withLock { $0 += 1 }
                try output.hand(over: number, size: number < 50 ? 1 : 1_000)
            }
        }
        for number in 0..<100 {
            // The count includes the values that were taken, those that are buffered, and the current one.
            #expect(made.withLock { $0 } <= number + (number < 50 ? 5 : 2))
            #expect(try numbers.next() == number)
        }
        #expect(try numbers.next() == nil)
    }

    @Test("Abandoning a queue stops its producer")
    func abandoned() throws {
        let made = Mutex(0)
        let numbers = PrefetchQueue<Int> { output in
            while true {
                made.withLock { $0 += 1 }
                try output.hand(over: 1)
            }
        }
        _ = try numbers.next()
        numbers.abandon()
        let count = made.withLock { $0 }
        numbers.abandon()
        #expect(made.withLock { $0 } == count)
    }
}
