import Foundation
import Testing

@testable import AviaryLoad

@Suite("Checking a restored store") struct RestoredLedgerTests {
    private let first = Write(record: "a", change: .add(title: "Okapi")),
        second = Write(record: "b", change: .add(title: "Zebra"))
    private let delete = Write(record: "a", change: .delete)
    private let ledger = Ledger(keepsTimes: true)

    private func write(_ write: Write, in ledger: Ledger? = nil) {
        (ledger ?? self.ledger).begin(write)
        (ledger ?? self.ledger).settle(write, as: .acknowledged)
    }

    private func kinds(_ rows: [ListRow], from begin: ContinuousClock.Instant, to end: ContinuousClock.Instant)
        -> [Violation.Kind: Int]
    {
        let snapshot = LedgerSnapshot(of: ledger, from: begin, to: end)
        var checker = LedgerChecker(snapshot.histories, shared: snapshot.shared, wasRestored: true)
        for row in rows { checker.observe(row) }
        return checker.finish(total: rows.count).counts
    }

    private let okapi = ListRow(id: "a", title: "Okapi"), zebra = ListRow(id: "b", title: "Zebra")

    @Test("A restored store has the writes before the backup, and none after it")
    func beforeAndAfter() {
        write(first)
        let time = ContinuousClock.now
        write(second)
        write(delete)
        #expect(kinds([okapi], from: time, to: time) == [:])
        #expect(kinds([], from: time, to: time) == [.lost: 1])
        #expect(kinds([okapi, zebra], from: time, to: time) == [.resurrected: 1])
    }

    @Test("A write during the backup may or may not be restored")
    func meanwhile() {
        write(first)
        let begin = ContinuousClock.now
        write(second)
        write(delete)
        let end = ContinuousClock.now
        for rows in [[], [okapi], [zebra], [okapi, zebra]] { #expect(kinds(rows, from: begin, to: end) == [:]) }
    }

    @Test("A write in progress when the backup begins may or may not be restored")
    func underWay() {
        ledger.begin(first)
        let time = ContinuousClock.now
        ledger.settle(first, as: .acknowledged)
        #expect(kinds([], from: time, to: time) == [:])
        #expect(kinds([okapi], from: time, to: time) == [:])
    }

    @Test("An existing record is restored unless it was deleted before the backup")
    func existing() {
        ledger.noteExisting(okapi)
        let before = ContinuousClock.now
        write(delete)
        let after = ContinuousClock.now
        #expect(kinds([okapi], from: before, to: before) == [:] && kinds([], from: before, to: before) == [.lost: 1])
        #expect(kinds([], from: after, to: after) == [:] && kinds([okapi], from: after, to: after) == [.resurrected: 1])
    }

    @Test("Writes of other processes are checked by the same times")
    func severalProcesses() throws {
        let other = Ledger(keepsTimes: true)
        write(first, in: other)
        let time = ContinuousClock.now
        write(second, in: other)
        ledger.add(try JSONDecoder().decode(LedgerEntries.self, from: JSONEncoder().encode(other.entries)))
        #expect(kinds([okapi], from: time, to: time) == [:])
        #expect(kinds([], from: time, to: time) == [.lost: 1])
        #expect(kinds([okapi, zebra], from: time, to: time) == [.resurrected: 1])
    }

    @Test("A shared record has an edit from before or during the backup, but none from after it")
    func shared() {
        func edit(_ title: String, from base: Int64) {
            let edit = SharedEdit(record: "a", title: title, base: base)
            ledger.shared.begin(edit)
            ledger.settle(edit, as: .acknowledged)
        }
        edit("One", from: 1)
        edit("Two", from: 2)
        let begin = ContinuousClock.now
        edit("Three", from: 3)
        let end = ContinuousClock.now
        edit("Four", from: 4)
        #expect(LedgerSnapshot(of: ledger, from: begin, to: end).shared == ["a": ["Two", "Three"]])
    }
}
