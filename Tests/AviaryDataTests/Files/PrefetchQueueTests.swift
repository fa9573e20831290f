import Synchronization
import Testing

@testable import AviaryData

@Suite("Reading ahead")
struct PrefetchQueueTests {
    private struct Failure: Error {}

    @Test("Elements come in their order, and what went wrong comes behind them", arguments: [false, true])
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

    @Test("No more is made than there is room for; what is too large for it is made when nothing else waits")
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

    @Test("What nobody wants any more is not made to its end")
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
