@testable import AviaryLoad
import Testing

@Suite struct LedgerTests {
    @Test func countsWritesAndAnswersApart() {
        let ledger = Ledger()
        let write = Write(record: "a", change: .add(title: "Okapi"))
        ledger.begin(write)
        ledger.noteUnknown()
        ledger.noteRetry()
        ledger.settle(write, as: .acknowledged)
        #expect(ledger.counts == WriteCounts(attempted: 1, acknowledged: 1, refused: 0, unknown: 1, retried: 1, unresolved: 0))
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
        #expect(Answer(status: 503, body: Array("<p>Nothing was changed. Try again".utf8)).saysNothingChanged)
        #expect(!Answer(status: 503, body: Array("Service unavailable".utf8)).saysNothingChanged)
        #expect(!Answer(status: 500, body: Array("Nothing was changed.".utf8)).saysNothingChanged)
    }
}
