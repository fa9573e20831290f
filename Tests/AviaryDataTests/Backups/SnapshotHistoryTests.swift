import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: history, receipts and events")
struct SnapshotHistoryTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("A snapshot with history restores commits and entries, which can be undone")
    func history() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        var specimen = Specimen(label: "first")
        let inserted = try await fixture.insert(specimen)
        specimen.label = "second"
        let updated = try await fixture.submit(specimen.update(from: inserted.commit))
        let other = try await restored(fixture, withHistory: true)
        #expect(try await other.history.commits(HistoryQuery()) == fixture.history.commits(HistoryQuery()))
        #expect(try await other.changes(of: updated) == fixture.changes(of: updated))
        #expect(try await other.replayMatches())
        try await other.undo(updated.commit)
        #expect(try await other.find(specimen)?.title(in: Specimen.schema) == "first")
        #expect(try await other.replayMatches())
        #expect(try integrity(of: other.directory.path) == "ok")
    }

    @Test("A store restored without history has only the commits made since the restore")
    func withoutHistory() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let other = try await restored(fixture, withHistory: false)
        #expect(try await other.history.commits(HistoryQuery()).isEmpty)
        #expect(try other.rowCount("aviary_change") == 0)
        let own = try await other.insert(Specimen(label: "later"))
        #expect(try await other.history.commits(HistoryQuery()).map(\.number) == [own.commit])
    }

    @Test(
        "A restored store keeps the receipts and discarded drafts of the snapshot",
        arguments: [false, true])
    func receipts(withHistory: Bool) async throws {
        let fixture = try StoreFixture.snapshots()
        let saved = ChangeSet(Specimen(label: "saved").insertion)
        let receipt = try await fixture.store.submit(saved)
        let draft = UUID.version7()
        try await fixture.store.discard(draft: draft)
        let other = try await restored(fixture, withHistory: withHistory)
        #expect(
            try await other.store.submit(saved)
                == Receipt(changeSet: saved.id, commit: receipt.commit, isRepeat: true))
        #expect(await other.refusal(Specimen().insertion, id: draft) == .alreadyDiscarded)
        #expect(try await other.count(Specimen.self) == 1)
    }

    @Test("The before-restore snapshot reverts a mistaken restore completely")
    func reverted() async throws {
        let fixture = try served()
        try await fixture.insert(Supplier("Hay", accessKey: "opensesame"))
        let old = try await backup(fixture, withHistory: true)
        let supplier = Supplier("Straw", accessKey: "opensesame-2")
        let receipt = try await fixture.insert(supplier)
        let entries = try await fixture.changes(of: receipt)
        try await fixture.insert(AuditEvent(.export, at: Self.now, account: "ada"))
        let before = try contents(of: fixture.directory.path, onlyRecords: true)
        let mistake = try await snapshots(fixture).restore(from: old)
        #expect(try await fixture.find(supplier) == nil)
        #expect(try await fixture.history.commit(receipt.commit) == nil)
        let kept = try #require(mistake.replaced?.path)
        #expect(mistake.replaced?.log?.entries == 2)
        _ = try await snapshots(fixture).restore(from: kept)
        #expect(try contents(of: fixture.directory.path, onlyRecords: true) == before)
        #expect(try await fixture.changes(of: receipt) == entries)
        #expect(try await fixture.count(AuditEvent.self) == 1)
        try await fixture.undo(receipt.commit)
        #expect(try await fixture.find(supplier) == nil)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A commit of the replaced store keeps its receipt and is not confused with a restored commit")
    func otherStore() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insert(Specimen(label: "of the snapshot"))
        let path = try await backup(fixture, withHistory: true)
        let live = try StoreFixture.snapshots()
        let saved = ChangeSet(Specimen(label: "of the live store").insertion)
        #expect(try await live.store.submit(saved).commit == 1, "the same number as that of the snapshot")
        let restored = try await live.snapshots.restore(from: path)
        let answer = try await live.store.submit(saved)
        #expect(answer.isRepeat && answer.commit > 1 && answer.commit < restored.commit)
        #expect(try await live.history.commits(HistoryQuery()).map(\.number) == [1])
        #expect(try await live.replayMatches())
        #expect(await live.undoRefusal(of: answer.commit) == [.notInHistory])
    }

    @Test("A restore brings events into a new directory and keeps the own events of an existing store")
    func events() async throws {
        let fixture = try served()
        let event = AuditEvent(.signIn, at: Self.now, account: "ada", address: "192.0.2.1")
        try await fixture.insert(event)
        let path = try await backup(fixture, withHistory: false)
        let empty = TemporaryDirectory()
        _ = try await SQLSnapshotRepository(
            data: empty.path, app: "Zoo", schema: fixture.schema, sortIndexes: []
        ).restore(from: path)
        let other = try served(in: empty)
        #expect(try await other.find(event)?.values == fixture.find(event)?.values)
        let own = AuditEvent(.signOut, at: Self.now + 1, account: "ada")
        try await other.insert(own)
        _ = try await snapshots(other).restore(from: path)
        #expect(try await other.count(AuditEvent.self) == 2)
        #expect(try await other.find(own) != nil)
        #expect(try await other.totalsMatch())
        #expect(try other.rowCount("aviary_change") == 0, "no history of events is kept")
    }

    @Test("A disabled account stays disabled in a new directory, and its epoch does not decrease")
    func shutOut() async throws {
        let fixture = try served()
        var eve = Account(name: "eve", role: "admin", passwordHash: "scrypt-of-eve", createdAt: Self.now)
        eve.isDisabled = true
        eve.epoch = 7
        try await fixture.insert(eve)
        let empty = TemporaryDirectory()
        _ = try await SQLSnapshotRepository(
            data: empty.path, app: "Zoo", schema: fixture.schema, sortIndexes: []
        ).restore(from: try await backup(fixture, withHistory: true))
        let other = try served(in: empty)
        let record = try #require(try await other.find(eve))
        var reader = FieldReader(record, of: Account.self)
        let account = try Account(from: &reader)
        #expect(account.isDisabled && account.epoch >= 7)
    }

    @Test("The history records that a restore kept an account disabled")
    func renewedAccounts() async throws {
        let fixture = try served()
        let eve = Account(name: "eve", role: "admin", passwordHash: "scrypt-of-eve", createdAt: Self.now)
        try await fixture.insert(eve)
        let path = try await backup(fixture, withHistory: true)
        try await fixture.submit(
            .update(model: Account.modelName, id: eve.id.uuid, version: 1, values: ["isDisabled": .integer(1)]))
        let restored = try await snapshots(fixture).restore(from: path)
        let commit = try #require(try await fixture.history.commit(restored.commit))
        #expect(commit.author == "restore")
        let change = try #require(try await fixture.history.changes(of: restored.commit, after: nil, limit: 10).first)
        #expect(change.fields["isDisabled"] == FieldChange(before: .integer(0), after: .integer(1)))
        #expect(try await fixture.find(eve)?.version == restored.commit)
    }

    @Test("A summary, a proof and a plan count the entries, receipts and discards of a snapshot")
    func reported() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        try await fixture.store.discard(draft: .version7())
        let with = try await backup(fixture, withHistory: true), without = try await backup(fixture, withHistory: false)
        #expect(
            try await fixture.snapshots.verify(with).log == SnapshotSummary.Log(entries: 4, receipts: 1, discards: 1))
        #expect(
            try await fixture.snapshots.prove(without).snapshot.log
                == SnapshotSummary.Log(entries: nil, receipts: 1, discards: 1))
        _ = try await fixture.snapshots.restore(from: with) { plan in
            #expect(plan.snapshot.log?.entries == 4)
            return false
        }
    }

    @Test("A snapshot contains the newest receipts even with dates in the distant past")
    func oldReceipts() async throws {
        let fixture = try StoreFixture(
            .snapshots(), sortIndexes: StoreFixture.snapshotIndexes, now: { Date(timeIntervalSince1970: 0) })
        try await fixture.insertSample()
        let summary = try await fixture.snapshots.verify(try await backup(fixture, withHistory: false))
        #expect(summary.log?.receipts == 1)
    }

    @Test("Values of a property that was made secret later are not in the history of a snapshot without secrets")
    func secrets() async throws {
        let fixture = try served()
        try await fixture.insert(Supplier("Hay", accessKey: "opensesame"))
        try await fixture.store.configure { connection in
            // This is the format that an older version wrote.
            try connection.run(#"UPDATE aviary_change SET fields = replace(fields, '{}', '"hushhush"')"#)
        }
        #expect(try fixture.rowCount("aviary_change WHERE fields LIKE '%hushhush%'") == 1)
        let path = try await backup(fixture, withHistory: true)
        #expect(!(try SnapshotText(path).lines.joined().contains("hushhush")))
        _ = try await snapshots(fixture).verify(path)
    }

    @Test("A restore accepts a snapshot of version 1, which has no history")
    func older() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        let other = TemporaryDirectory(),
            path = try await asVersion1(try await backup(fixture, withHistory: false), fixture)
        let restored = try await fixture.snapshots(in: other).restore(from: path)
        #expect(restored.snapshot.log == nil)
        #expect(
            try contents(of: other.path, onlyRecords: true)
                == contents(of: fixture.directory.path, onlyRecords: true))
        #expect(try await StoreFixture.snapshots(in: other).insert(Specimen()).commit == 3)
    }

    @Test("History in a snapshot of version 1 is rejected, and so is an unknown version")
    func versions() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        var text = try SnapshotText(try await backup(fixture, withHistory: true))
        text.replace(#""version":2"#, with: #""version":1"#, inLine: 1)
        let path = fixture.directory.path + "/changed.jsonl.gz"
        try text.close()
        try text.write(to: path)
        let error = await #expect(throws: SnapshotError.self) { try await fixture.snapshots.verify(path) }
        #expect(error?.reason == .malformedRecord("unknown part."))
        unlink(path)
        text.replace(#""version":1"#, with: #""version":3"#, inLine: 1)
        try text.close()
        try text.write(to: path)
        await #expect(throws: SnapshotError(.unsupportedVersion, line: 1)) { try await fixture.snapshots.verify(path) }
    }

    @Test(
        "A restore rejects a snapshot with damaged history and changes nothing",
        arguments: [
            // The cases remove a line and adjust its count in the manifest, or change parts of lines.
            ("entry", #""changes":4"#, #""changes":3"#, Optional(#"{"change":"#)),
            ("commit", #""commits":1"#, #""commits":0"#, #"{"commit":"#),
            ("number", #""nextChange":5"#, #""nextChange":2"#, nil),
            ("kind", #""kind":"insert""#, #""kind":"upsert""#, nil),
            ("fields", #""fields":{"#, #""fields":{"x":["#, nil),
            ("of another commit", #","commit":1,"model""#, #","commit":2,"model""#, nil),
            ("receipt", #""fingerprint":""#, #""fingerprint":"?"#, nil),
            ("barrier", #""nextChange""#, #""undoBarrier":9,"nextChange""#, nil),
            ("huge", #""nextChange":5"#, #""nextChange":9223372036854775807"#, nil),
        ])
    func damaged(what: String, text: String, other: String, removed: String?) async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.insertSample()
        var snapshot = try SnapshotText(try await backup(fixture, withHistory: true))
        let line = try #require(snapshot.lines.firstIndex { $0.contains(text) })
        snapshot.replace(text, with: other, inLine: line + 1)
        if let removed, let index = snapshot.lines.lastIndex(where: { $0.hasPrefix(removed) }) {
            snapshot.lines.remove(at: index)
        }
        try snapshot.close()
        let path = fixture.directory.path + "/changed.jsonl.gz"
        try snapshot.write(to: path)
        let before = try contents(of: fixture.directory.path)
        await #expect(throws: SnapshotError.self, "\(what)") { try await fixture.snapshots.restore(from: path) }
        #expect(try contents(of: fixture.directory.path) == before)
    }

    // MARK: - Support

    private func restored(_ fixture: StoreFixture, withHistory: Bool) async throws -> StoreFixture {
        let other = TemporaryDirectory()
        _ = try await fixture.snapshots(in: other).restore(from: try await backup(fixture, withHistory: withHistory))
        return try StoreFixture.snapshots(in: other)
    }

    private func backup(_ fixture: StoreFixture, withHistory: Bool) async throws -> String {
        let isMuseum = fixture.schema.models.contains { $0.name == "Specimen" }
        return try #require(
            try await (isMuseum ? fixture.snapshots : snapshots(fixture)).create(
                at: .standard, level: 1, includingSecrets: false, includingHistory: withHistory
            ).path)
    }

    private func asVersion1(_ path: String, _ fixture: StoreFixture) async throws -> String {
        var text = try SnapshotText(path)
        text.lines.removeAll {
            $0.hasPrefix(#"{"commit""#) || $0.hasPrefix(#"{"change""#) || $0.hasPrefix(#"{"discard""#)
        }
        let log = try #require(text.lines[0].range(of: #","log":"#))
        text.lines[0] = String(text.lines[0][..<log.lowerBound]) + "}"
        text.replace(#""version":2"#, with: #""version":1"#, inLine: 1)
        try text.close()
        let changed = fixture.directory.path + "/version-1.jsonl.gz"
        try text.write(to: changed)
        return changed
    }

    private func served(in temporary: TemporaryDirectory = TemporaryDirectory()) throws -> StoreFixture {
        try StoreFixture(Schema([Supplier.schema] + Schema.builtIn), in: temporary, now: { Self.now })
    }

    private func snapshots(_ fixture: StoreFixture) -> SQLSnapshotRepository {
        let store = fixture.store
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], runningStore: { store })
    }
}
