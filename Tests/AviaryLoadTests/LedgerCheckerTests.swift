import Testing

@testable import AviaryLoad

/// Tests that the checker fails: each test plants one violation.
@Suite struct LedgerCheckerTests {
    private let add = Write(record: "a", change: .add(title: "Okapi"))
    private let edit = Write(record: "a", change: .edit(title: "Zebra"))
    private let delete = Write(record: "a", change: .delete)

    private func ledger(_ writes: (Write, WriteOutcome)...) -> Ledger {
        let ledger = Ledger()
        for (write, outcome) in writes {
            ledger.begin(write)
            ledger.settle(write, as: outcome)
        }
        return ledger
    }

    private func kinds(_ ledger: Ledger, _ rows: [ListRow], total: Int? = nil) -> [Violation.Kind: Int] {
        var checker = LedgerChecker(ledger.histories)
        for row in rows { checker.observe(row) }
        return checker.finish(total: total ?? Set(rows.map(\.id)).count).counts
    }

    private let okapi = ListRow(id: "a", title: "Okapi")
    private let zebra = ListRow(id: "a", title: "Zebra")

    @Test func whatWasAcknowledgedIsThere() {
        #expect(kinds(ledger((add, .acknowledged)), [okapi]) == [:])
        #expect(kinds(ledger((add, .acknowledged), (edit, .acknowledged)), [zebra]) == [:])
        #expect(kinds(ledger((add, .acknowledged), (edit, .acknowledged), (delete, .acknowledged)), []) == [:])
    }

    @Test func anUnknownWriteMayBeThereOrNot() {
        #expect(kinds(ledger((add, .unknown)), [okapi]) == [:])
        #expect(kinds(ledger((add, .unknown)), []) == [:])
        #expect(kinds(ledger((add, .acknowledged), (edit, .unknown)), [okapi]) == [:])
        #expect(kinds(ledger((add, .acknowledged), (edit, .unknown)), [zebra]) == [:])
        #expect(kinds(ledger((add, .acknowledged), (delete, .unknown)), [okapi]) == [:])
        #expect(kinds(ledger((add, .acknowledged), (delete, .unknown)), []) == [:])
    }

    @Test func lost() {
        #expect(kinds(ledger((add, .acknowledged)), []) == [.lost: 1])
        #expect(kinds(ledger((add, .acknowledged), (edit, .unknown)), []) == [.lost: 1])
        #expect(kinds(ledger((add, .acknowledged), (delete, .refused)), []) == [.lost: 1])
    }

    @Test func lostFromBefore() {
        let ledger = Ledger()
        ledger.noteExisting(okapi)
        #expect(kinds(ledger, [okapi]) == [:])
        #expect(kinds(ledger, []) == [.lost: 1])
        #expect(kinds(ledger, [zebra]) == [.reverted: 1])
    }

    @Test func duplicated() {
        let other = ListRow(id: "b", title: "Okapi")
        #expect(kinds(ledger((add, .acknowledged)), [okapi, okapi]) == [.duplicated: 1])
        #expect(kinds(ledger((add, .acknowledged)), [okapi, other]) == [.duplicated: 1])
        let twice = ledger((add, .acknowledged), (Write(record: "b", change: .add(title: "Giraffe")), .acknowledged))
        #expect(kinds(twice, [okapi, other])[.duplicated] == 1)
    }

    @Test func recordsFromBeforeMayShareATitle() {
        let ledger = Ledger()
        ledger.noteExisting(okapi)
        ledger.noteExisting(ListRow(id: "b", title: "Okapi"))
        #expect(kinds(ledger, [okapi, ListRow(id: "b", title: "Okapi")]) == [:])
    }

    @Test func resurrected() {
        #expect(kinds(ledger((add, .acknowledged), (delete, .acknowledged)), [okapi]) == [.resurrected: 1])
    }

    @Test func orphaned() {
        #expect(kinds(ledger((add, .refused)), [okapi]) == [.orphaned: 1])
        let draft = Write(record: "a", change: .cancelDraft(title: "Okapi"))
        #expect(kinds(ledger((draft, .acknowledged)), [okapi]) == [.orphaned: 1])
        #expect(kinds(ledger((draft, .unknown)), [okapi]) == [.orphaned: 1])
    }

    @Test func reverted() {
        #expect(kinds(ledger((add, .acknowledged), (edit, .acknowledged)), [okapi]) == [.reverted: 1])
        #expect(kinds(ledger((add, .acknowledged), (edit, .refused)), [zebra]) == [.reverted: 1])
    }

    @Test func foreign() {
        #expect(kinds(ledger(), [okapi]) == [.foreign: 1])
    }

    @Test("A list without a total is reported as inconsistent")
    func noTotal() {
        var checker = LedgerChecker(ledger((add, .acknowledged)).histories)
        checker.observe(okapi)
        #expect(checker.finish(total: nil).counts == [.inconsistent: 1])
    }

    @Test func aTotalThatDoesNotFit() {
        #expect(kinds(ledger((add, .acknowledged)), [okapi], total: 2) == [.inconsistent: 1])
    }

    @Test func allAreCountedAndTwentyNamed() {
        let ledger = Ledger()
        for number in 0..<50 {
            let write = Write(record: "\(number)", change: .add(title: "\(number)"))
            ledger.begin(write)
            ledger.settle(write, as: .acknowledged)
        }
        let violations = LedgerChecker(ledger.histories).finish(total: 0)
        #expect(violations.count == 50)
        #expect(violations.first.count == 20)
    }

    // MARK: A record that several users edit

    private func edit(_ title: String, from base: Int64, _ outcome: WriteOutcome?) -> SharedEdit {
        var edit = SharedEdit(record: "a", title: title, base: base)
        if let outcome { edit.settle(as: outcome) }
        return edit
    }

    @Test("A shared record has the title of its newest edit, or that of an edit with an unknown outcome")
    func sharedTitles() {
        let edits = [
            edit("A", from: 1, .acknowledged), edit("B", from: 2, .acknowledged), edit("C", from: 3, .refused),
        ]
        #expect(edits.possibleTitles == ["a": ["B"]])
        #expect((edits + [edit("D", from: 3, .unknown)]).possibleTitles == ["a": ["B", "D"]])
        #expect((edits + [edit("D", from: 2, .unknown), edit("E", from: 1, .unknown)]).possibleTitles == ["a": ["B"]])
        #expect(edits.overwriting == [])
    }

    @Test("Two acknowledged edits of one version are reported as an overwrite")
    func overwritten() {
        let edits = [
            edit("A", from: 1, .acknowledged), edit("B", from: 1, .acknowledged), edit("C", from: 1, .refused),
        ]
        #expect(edits.overwriting.map(\.title) == ["B"])
    }

    @Test("A shared record with an unexpected title or without a row is reported")
    func sharedReverted() {
        var checker = LedgerChecker([:], shared: ["a": ["Okapi"]])
        checker.observe(zebra)
        #expect(checker.finish(total: 1).counts == [.reverted: 1])
        #expect(LedgerChecker([:], shared: ["a": ["Okapi"]]).finish(total: 0).counts == [.lost: 1])
    }
}
