import Synchronization
import Testing

@testable import AviaryLoad

@Suite struct LedgerTests {
    @Test func countsWritesAndAnswersApart() {
        let ledger = Ledger()
        let write = Write(record: "a", change: .add(title: "Okapi"))
        ledger.begin(write)
        ledger.recordUnknownOutcome()
        ledger.noteRetry()
        ledger.settle(write, as: .acknowledged)
        #expect(
            ledger.counts
                == WriteCounts(attempted: 1, acknowledged: 1, refused: 0, unknown: 1, retried: 1, unresolved: 0))
    }

    @Test func aWriteUnderWayIsKnownAlready() {
        let ledger = Ledger()
        ledger.begin(Write(record: "a", change: .add(title: "Okapi")))
        #expect(ledger.histories["a"]?.possible == [.absent, .present(title: "Okapi")])
    }

    @Test func aRefusedEditLeavesWhatWas() {
        var history = RecordHistory(existing: "Okapi")
        history.begin(.edit(title: "Zebra"))
        history.settle(.edit(title: "Zebra"), as: .refused)
        #expect(history.possible == [.present(title: "Okapi")])
    }

    @Test func onlyAnAnswerThatSaysSoIsNotExecuted() {
        #expect(BrowserResponse(status: 503, body: Array("<p>Nothing was changed. Try again".utf8)).saysNothingChanged)
        #expect(!BrowserResponse(status: 503, body: Array("Service unavailable".utf8)).saysNothingChanged)
        #expect(!BrowserResponse(status: 500, body: Array("Nothing was changed.".utf8)).saysNothingChanged)
    }

    @Test("An armed action runs once, when a write is first acknowledged")
    func armed() {
        let ledger = Ledger()
        let times = Mutex(0)
        ledger.arm { times.withLock { $0 += 1 } }
        for (number, outcome) in [WriteOutcome.refused, .unknown, .acknowledged, .acknowledged].enumerated() {
            let write = Write(record: "\(number)", change: .add(title: "Okapi"))
            ledger.begin(write)
            ledger.settle(write, as: outcome)
            #expect(times.withLock { $0 } == (number < 2 ? 0 : 1))
        }
        #expect(!ledger.disarm())
        ledger.arm { times.withLock { $0 += 1 } }
        #expect(ledger.disarm() && times.withLock { $0 } == 1)
    }
}
