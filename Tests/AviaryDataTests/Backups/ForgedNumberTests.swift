import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: forged numbers")
struct ForgedNumberTests {
    private static let forged = ["9223372036854775807", "9223372036854775806", "4611686018427387905", "-1", "1e300"]

    private func fixture() async throws -> StoreFixture {
        let fixture = try StoreFixture(
            try Schema([Site.schema, Specimen.schema, Museum.schema] + Schema.builtIn),
            sortIndexes: StoreFixture.snapshotIndexes)
        try await fixture.insertSample()
        var egg = Specimen(label: "Numbered")
        egg.number = 7
        try await fixture.insert(
            egg, Museum(),
            Account(name: "ada", role: "admin", passwordHash: "x", createdAt: Date(timeIntervalSince1970: 0)))
        return fixture
    }

    /// Returns the positions of all integers outside of strings.
    private func numbers(_ text: SnapshotText) -> [(line: Int, range: Range<String.Index>)] {
        text.lines.enumerated().flatMap { index, line in
            line.matches(of: /[:,\[](-?[0-9]+)(?=[,}\]])/).filter { match in
                // An even number of quotation marks precedes it. The sample has none in its texts.
                line[..<match.range.lowerBound].count { $0 == "\"" }.isMultiple(of: 2)
            }.map { (index, $0.1.startIndex..<$0.1.endIndex) }
        }
    }

    @Test("A snapshot with a forged number is rejected or restores to a usable store")
    func forged() async throws {
        let fixture = try await fixture()
        let original = try SnapshotText(try await fixture.backup())
        let places = numbers(original)
        // These are the version, the commit, the minimum and maximum, at least two counts, and the version of each
        // record.
        #expect(places.count > 15)
        var accepted = 0
        for (line, range) in places {
            for number in Self.forged {
                var text = original
                text.lines[line].replaceSubrange(range, with: number)
                if line < text.lines.count - 1 { try text.close() }
                let path = fixture.temporary.path + "/forged.jsonl.gz"
                defer { unlink(path) }
                try text.write(to: path)
                do {
                    _ = try await fixture.snapshots.verify(path)
                } catch is SnapshotError {
                    continue
                }
                accepted += 1
                try await useRestored(path, of: fixture)
            }
        }
        // These are integers of a record, which may have any value.
        #expect(accepted >= 4)
    }

    private func useRestored(_ path: String, of fixture: StoreFixture) async throws {
        _ = try await fixture.snapshots.restore(from: path)
        try await fixture.insert(Site(code: UUID().uuidString))
        let account = try #require(try await fixture.records(Account.self).fetchAll().first)
        var ada = try Account(account)
        ada.epoch += 1
        try await fixture.submit(ada.update(from: account.version))
        let again = try await fixture.backup()
        _ = try await fixture.snapshots.verify(again)
        unlink(again)
    }

    @Test("A commit number above the bound is rejected with its line number")
    func commit() async throws {
        let fixture = try await fixture()
        var text = try SnapshotText(try await fixture.backup())
        text.lines[0] = text.lines[0].replacing(/"commit":\d+/, with: "\"commit\":9223372036854775806")
        try text.close()
        let path = fixture.temporary.path + "/forged.jsonl.gz"
        try text.write(to: path)
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.restore(from: path) }
        #expect(error?.reason == .malformedManifest("the commit number is too large."))
        #expect(error?.line == 1)
    }
}

/// A model with a limit on the number of related records.
private struct Museum: Model {
    var id = RecordID<Museum>()
    var name = "museum"
    var friends = Related<Museum>()

    static let schema = ModelSchema(
        Museum.self,
        [
            .init(\.name, "name"),
            .init(\.friends, "friends", relationship: .init(.symmetric, maximumModelCount: 3)),
        ])

    init() {}
    init(from reader: inout FieldReader) throws { (id, name) = (try reader.next("id"), try reader.next("name")) }
    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}
