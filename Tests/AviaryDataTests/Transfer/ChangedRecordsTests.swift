import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Export of the records that changed since a commit")
struct ChangedRecordsTests {
    private struct Line: Decodable, Hashable {
        let id: String
        var title: String?
        var deleted: Bool?
        var commit: Int64?
    }

    private func lines(
        _ fixture: StoreFixture, since commit: Int64, as format: ExportFormat = .jsonl
    ) async throws -> (lines: [String], summary: ExportSummary) {
        let path = fixture.temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        var query = ExportQuery()
        query.sinceCommit = commit
        let summary = try await fixture.exports.export(
            LeafPage.schema, query, as: format, to: .file(path), progress: { _ in })
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return (text.split(whereSeparator: \.isNewline).map(String.init), summary)
    }

    private func records(_ fixture: StoreFixture, since commit: Int64) async throws -> Set<Line> {
        let texts = try await lines(fixture, since: commit).lines
        return Set(try texts.map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) })
    }

    @Test("Only records that were added or changed after the commit are exported, with their present values")
    func changed() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        var kea = LeafPage("Kea")
        let emu = LeafPage("Emu"), rhea = LeafPage("Rhea")
        try await fixture.insert(kea)
        try await fixture.insert(emu)
        kea.text = "grey"
        try await fixture.submit(kea.update(from: 1))
        try await fixture.insert(rhea)
        #expect(
            try await records(fixture, since: 2)
                == [Line(id: kea.id.description, title: "Kea"), Line(id: rhea.id.description, title: "Rhea")])
        #expect(try await records(fixture, since: 3) == [Line(id: rhea.id.description, title: "Rhea")])
        #expect(try await records(fixture, since: 4) == [])
        #expect(try await records(fixture, since: 0).count == 3)
    }

    @Test("A deleted record is an object that says so in JSON Lines, and is only counted in CSV")
    func deleted() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        let kea = LeafPage("Kea"), emu = LeafPage("Emu")
        try await fixture.insert(kea)
        try await fixture.insert(emu)
        try await fixture.submit(kea.deletion)
        #expect(
            try await records(fixture, since: 2) == [Line(id: kea.id.description, deleted: true, commit: 3)])
        let csv = try await lines(fixture, since: 2, as: .csv)
        #expect(csv.lines == ["id,title,text,mark,next"] && csv.summary.deleted == 1 && csv.summary.records == 0)
        // A record that is there again is not deleted.
        try await fixture.undo(3)
        #expect(try await records(fixture, since: 2) == [Line(id: kea.id.description, title: "Kea")])
    }

    @Test("Exports that continue from the printed commit see every change, also beside a long change")
    func longChange() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]), stepLimits: .smallest)
        let pages = (0..<400).map { LeafPage("Page \($0)") }
        try await fixture.store.submit(ChangeSet(author: "test", changes: pages.map(\.insertion)))
        let store = fixture.store
        await store.limitSteps(to: 0)
        async let receipt = store.submit(ChangeSet(author: "test", changes: pages.map(\.deletion)))
        while await !store.hasCommittedLongChange(after: 1) { await store.limitSteps(to: 1) }
        _ = try await receipt
        let first = try await lines(fixture, since: 1)
        await store.finishLongChange()
        let rest = try await records(fixture, since: first.summary.commit)
        #expect(first.summary.commit == 1)
        #expect(rest.count == 400 && rest.allSatisfy { $0.deleted == true })
    }

    @Test("A commit whose later changes the history does not contain is refused")
    func trimmed() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        for name in ["Kea", "Emu", "Rhea"] { try await fixture.insert(LeafPage(name)) }
        _ = try await fixture.store.trimHistory(to: .entries(1), isDryRun: false)
        await #expect(throws: ChangedRecordsError.notInHistory(1)) { try await lines(fixture, since: 1) }
        #expect(try await records(fixture, since: 2).count == 1)
        #expect(try await records(fixture, since: 3) == [])
    }

    @Test("A commit that does not exist yet is refused, and so is a model without a history")
    func unknown() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        try await fixture.insert(LeafPage("Kea"))
        await #expect(throws: ChangedRecordsError.noSuchCommit(2, last: 1)) { try await lines(fixture, since: 2) }
        let other = try StoreFixture(
            Schema([LeafPage.schema]), history: HistoryPolicy().excluding("LeafPage"))
        try await other.insert(LeafPage("Kea"))
        await #expect(throws: ChangedRecordsError.noHistory(model: "LeafPage")) { try await lines(other, since: 0) }
    }

    @Test("After a restore, commits from before it are refused")
    func restored() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]))
        for name in ["Kea", "Emu"] { try await fixture.insert(LeafPage(name)) }
        let path = fixture.temporary.path + "/new.sqlite"
        try StoreBuilder(path: path, schema: fixture.schema, sortIndexes: [], engine: StoreEngines.standard).finish(
            commit: 1)
        let commit = try await fixture.replaceContents(withStoreAt: path)
        await #expect(throws: ChangedRecordsError.notInHistory(1)) { try await lines(fixture, since: 1) }
        try await fixture.insert(LeafPage("Rhea"))
        #expect(try await records(fixture, since: commit).count == 1)
    }
}
