import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: proof")
struct SnapshotProofTests {
    @Test("A proof is stored until its snapshot file changes or is removed")
    func remembered() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let folder = SnapshotFolder(fixture.directory.path)
        _ = try await fixture.snapshots.verify(path)
        #expect(folder.files().map { $0.proof == nil } == [true], "verifying is not proving")
        let proof = try await fixture.snapshots.prove(path)
        #expect(proof.snapshot.records == 4)
        #expect(folder.files().map { $0.proof?.snapshot.sha256 } == [proof.snapshot.sha256])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(folder.files().map { $0.proof == nil } == [true], "it may be another file")
        try folder.remove(URL(fileURLWithPath: path).lastPathComponent)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.snapshotsPath).isEmpty)
    }

    @Test("The proof of a file outside the snapshot folder is not stored beside that file")
    func elsewhere() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = fixture.directory.path + "/mine.jsonl.gz"
        _ = try await fixture.snapshots.create(at: .file(path), level: 1)
        _ = try await fixture.snapshots.prove(path)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).filter { $0.contains("mine") }
                == ["mine.jsonl.gz"])
    }

    @Test(
        "A proof fails if the restored store differs from the snapshot",
        .onlySQLite("a second file that can be attached"))
    func different() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let path = try await fixture.backup()
        let working = try WorkingDirectory(in: fixture.directory.snapshotsPath)
        let store = working.path + "/store.sqlite"
        _ = try fixture.snapshots.loader(path, sortIndexes: []).load(intoStoreAt: store)
        let built = RestoredStoreCheck(path: store, tables: fixture.store.tables, engine: StoreEngines.standard)
        let text = try SnapshotText(path)
        let columns = SnapshotColumns.all(of: fixture.store.tables)
        var digest = ContentDigest()
        for line in text.lines.dropFirst().dropLast().reversed() {
            let bytes = Array(line.utf8)
            var reader = JSONReader(bytes, in: bytes.indices)
            switch try SnapshotLine(&reader, tables: fixture.store.tables, columns: columns) {
            case .record(let record): digest.add(record.table.model.name, record.row)
            case .log(let row): digest.add(row.table.tableName, row.row)
            case .link, .end: Issue.record("The sample has no links.")
            }
        }
        try built.check(holds: digest)
        for spoiling in [
            "UPDATE \"Specimen\" SET note = 'green' WHERE label = 'Egg'", "UPDATE \"Specimen\" SET aviary_version = 9",
            "DELETE FROM \"Specimen\" WHERE label = 'Bone'",
        ] {
            let connection = try StoreEngines.standard.openReplacement(at: store)
            try connection.run(spoiling)
            connection.close()
            let error = #expect(throws: SnapshotError.self) { try built.check(holds: digest) }
            #expect(error?.reason == .notProven("Specimen differs from the backup."))
        }
    }

    @Test("A content digest depends on the boundaries and types of values but not on the order of rows")
    func digest() {
        func digest(_ rows: [[FieldValue]]) -> ContentDigest {
            rows.reduce(into: ContentDigest()) { $0.add("A", $1) }
        }
        #expect(digest([[.text("a"), .text("b")], [.null]]) == digest([[.null], [.text("a"), .text("b")]]))
        #expect(digest([[.text("ab"), .text("")]]) != digest([[.text("a"), .text("b")]]))
        #expect(digest([[.integer(1)]]) != digest([[.real(1)]]))
        #expect(digest([[.null], [.null]]) != digest([[.null]]))
        #expect(digest([[.real(0)]]) != digest([[.real(-0.0)]]))
    }
}
