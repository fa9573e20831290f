import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Export of the history")
struct HistoryExportTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("A CSV file has one line for each property of an entry, with the oldest entry first")
    func csv() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]), now: { Self.now })
        var kea = LeafPage("=Kea")
        try await fixture.insert(kea)
        kea.text = "alpine, grey"
        try await fixture.submit(kea.update(from: 1))
        let id = kea.id.description
        #expect(
            try await exported(fixture, .csv) == [
                "time,commit,account,model,record,kind,property,before,after,secret",
                "2027-01-15T08:00:00.000Z,1,test,LeafPage,\(id),insert,title,,'=Kea,",
                "2027-01-15T08:00:00.000Z,1,test,LeafPage,\(id),insert,text,,,",
                "2027-01-15T08:00:00.000Z,1,test,LeafPage,\(id),insert,mark,,,",
                "2027-01-15T08:00:00.000Z,1,test,LeafPage,\(id),insert,next,,,",
                #"2027-01-15T08:00:00.000Z,2,test,LeafPage,\#(id),update,text,,"alpine, grey","#,
            ])
    }

    @Test("A JSON Lines file has one object for each entry")
    func jsonLines() async throws {
        let fixture = try StoreFixture(Schema([LeafPage.schema]), now: { Self.now })
        let kea = LeafPage("Kea")
        try await fixture.insert(kea)
        try await fixture.undo(1)
        let objects = try await exported(fixture, .jsonl).map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["kind"] as? String } == ["insert", "delete"])
        #expect(objects.map { $0["undoes"] as? Int } == [nil, 1])
        let fields = try #require(objects.first?["fields"] as? [String: [String: Any]])
        #expect(fields["title"]?["after"] as? String == "Kea" && fields["title"]?["before"] is NSNull)
    }

    @Test(
        "A secret is marked as changed and never exported, even if the property became secret later",
        arguments: ExportFormat.allCases)
    func secrets(format: ExportFormat) async throws {
        let fixture = try StoreFixture(Schema([Supplier.schema]))
        try await fixture.insert(Supplier("Hay", accessKey: "opensesame"))
        try await fixture.store.configure { connection in
            try connection.run(#"UPDATE aviary_change SET fields = replace(fields, '{}', '"hushhush"')"#)
        }
        #expect(try fixture.rowCount("aviary_change WHERE fields LIKE '%hushhush%'") == 1)
        let text = try await exported(fixture, format).joined(separator: "\n")
        #expect(!text.contains("hushhush") && !text.contains("opensesame"))
        #expect(text.contains("accessKey") && text.contains("true"))
    }

    @Test("A query filters entries by model, account and time")
    func chosen() async throws {
        let fixture = try StoreFixture(.snapshots(), now: { Self.now })
        try await fixture.insertSample()
        func count(_ query: HistoryExportQuery) async throws -> Int {
            try await exported(fixture, .jsonl, query).count
        }
        #expect(try await count(HistoryExportQuery()) == 4)
        #expect(try await count(HistoryExportQuery(model: "Site")) == 1)
        #expect(try await count(HistoryExportQuery(account: "test", since: Self.now)) == 4)
        #expect(try await count(HistoryExportQuery(account: "somebody")) == 0)
        #expect(try await count(HistoryExportQuery(until: Self.now)) == 0)
        #expect(try await count(HistoryExportQuery(since: Self.now + 1)) == 0)
    }

    private func exported(
        _ fixture: StoreFixture, _ format: ExportFormat, _ query: HistoryExportQuery = HistoryExportQuery()
    ) async throws -> [String] {
        let path = fixture.temporary.path + "/" + UUID().uuidString
        defer { unlink(path) }
        _ = try await fixture.exports.exportHistory(query, as: format, to: .file(path), progress: { _ in })
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        return text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }
}
