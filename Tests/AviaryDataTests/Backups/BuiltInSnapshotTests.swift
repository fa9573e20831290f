import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Snapshot: built-in models")
struct BuiltInSnapshotTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let passing = ["aviary_session", "aviary_attempts", "aviary_link", "aviary_event"]

    @Test("A snapshot contains the secrets of accounts by default but not those of other models")
    func accounts() async throws {
        let fixture = try await served()
        let lines = try SnapshotText(try await backup(fixture)).lines
        #expect(
            lines.contains {
                $0.contains(#""model":"aviary_account""#) && $0.contains("scrypt-of-ada")
                    && $0.contains("sealed-of-ada")
            })
        #expect(!lines.contains { $0.contains("opensesame") })
        #expect(lines.first?.contains(#""secrets":false"#) == true)
    }

    @Test("A snapshot contains audit events, but no sessions, sign-in attempts or sign-in links")
    func passing() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        let text = try SnapshotText(path).lines.joined(separator: "\n")
        for model in Self.passing where model != AuditEvent.modelName { #expect(!text.contains(model), "\(model)") }
        let summary = try await snapshots(fixture).verify(path)
        #expect(summary.counts == ["Supplier": 1, "aviary_account": 1, "aviary_event": 1])
        #expect(summary.records == 3)
    }

    @Test("A restore leaves sessions, attempts, links and events of the live store unchanged")
    func carriedOver() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        let later = AuditEvent(.signIn, at: Self.now + 60, account: "ada")
        try await fixture.insert(later, session(of: UUID(), 2), Supplier("Straw", accessKey: nil))
        let before = try rows(fixture, Self.passing)
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try rows(fixture, Self.passing) == before)
        #expect(try await fixture.find(later) != nil)
        #expect(try await fixture.count(Supplier.self) == 1)
        #expect(try await fixture.totalsMatch())
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    @Test("Restoring a snapshot of a program without accounts leaves the live accounts unchanged")
    func olderProgram() async throws {
        let old = try StoreFixture(Schema([Supplier.schema]))
        try await old.insert(Supplier("Clover", accessKey: nil))
        let path = try await backup(old)
        let fixture = try await served()
        let before = try rows(fixture, Self.passing + ["aviary_account"])
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try rows(fixture, Self.passing + ["aviary_account"]) == before)
        #expect(before.contains { $0.contains("scrypt-of-ada") })
        #expect(try await fixture.records(Supplier.self).fetchAll().map { $0.title(in: Supplier.schema) } == ["Clover"])
        #expect(try await fixture.totalsMatch())
    }

    @Test("The accounts of a snapshot replace the live accounts")
    func replaced() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        try await fixture.insert(Account(name: "eve", role: "admin", passwordHash: nil, createdAt: Self.now))
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try await accounts(fixture).map(\.name) == ["ada"])
    }

    @Test("Restoring a password ends every session and never lowers the account's epoch")
    func epochs() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        try await change(
            fixture, ["passwordHash": .text("another"), "epoch": .integer(5), "lastOneTimeStep": .integer(77)])
        let restored = try await snapshots(fixture).restore(from: path)
        let account = try #require(try await accounts(fixture).first)
        #expect(account.passwordHash == "scrypt-of-ada")
        #expect(account.epoch == 6)
        #expect(account.lastOneTimeStep == 77)
        #expect(try await fixture.records(Account.self).fetchAll().first?.version == restored.commit)
    }

    @Test("Restoring an unchanged account keeps its current epoch, so that ended sessions stay ended")
    func sameAccount() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        try await change(fixture, ["epoch": .integer(3)])
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try await accounts(fixture).first?.epoch == 3)
    }

    @Test("A disabled account stays disabled after a restore, and the plan names every affected account")
    func shutOut() async throws {
        let fixture = try await served()
        try await fixture.insert(
            Account(name: "eve", role: "admin", passwordHash: "scrypt-of-eve", createdAt: Self.now))
        let path = try await backup(fixture)
        try await change(fixture, ["isDisabled": .integer(1), "epoch": .integer(2)], of: "eve")
        try await change(fixture, ["role": .text("viewer"), "epoch": .integer(2)], of: "ada")
        try await fixture.insert(Account(name: "new", role: "editor", passwordHash: nil, createdAt: Self.now))
        _ = try await snapshots(fixture).restore(from: path) { plan in
            #expect(
                plan.accounts == [
                    AccountEffect("ada", .role(from: "viewer", to: "admin")), AccountEffect("eve", .staysDisabled),
                    AccountEffect("new", .removed),
                ])
            return true
        }
        let accounts = try await accounts(fixture)
        #expect(accounts.filter(\.isDisabled).map(\.name) == ["eve"])
        #expect(accounts.first { $0.name == "eve" }?.epoch == 2, "nothing of it changed")
        #expect(accounts.first { $0.name == "ada" }?.epoch == 3)
    }

    @Test("A restored account is disabled if the live account of the same name is disabled")
    func shutOutByName() async throws {
        let elsewhere = try await served()
        let path = try await backup(elsewhere)
        let fixture = try StoreFixture(elsewhere.schema, now: { Self.now })
        var ada = Account(name: "ada", role: "admin", passwordHash: nil, createdAt: Self.now)
        ada.isDisabled = true
        try await fixture.insert(ada)
        _ = try await snapshots(fixture).restore(from: path)
        #expect(try await accounts(fixture).map(\.isDisabled) == [true])
    }

    @Test("A restore into an empty directory restores accounts and events but no sessions")
    func intoEmpty() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        let other = TemporaryDirectory()
        _ = try await SQLSnapshotRepository(data: other.path, app: "Zoo", schema: fixture.schema, sortIndexes: [])
            .restore(from: path)
        let reopened = try StoreFixture(fixture.schema, in: other)
        #expect(try await accounts(reopened).map(\.passwordHash) == ["scrypt-of-ada"])
        #expect(try await reopened.count(AuditEvent.self) == 1)
        #expect(try await reopened.count(AccountSession.self) == 0)
        #expect(try await reopened.totalsMatch())
    }

    @Test("A snapshot that contains sessions is rejected", arguments: ["aviary_session"])
    func planted(model: String) async throws {
        let fixture = try await served()
        // The snapshot was written by a program that treats the model as an ordinary one.
        let models = fixture.schema.models.map { $0.name == model ? $0.snapshots(.withoutSecrets) : $0 }
        let path = try #require(
            try await SQLSnapshotRepository(
                data: fixture.directory.path, app: "Zoo", schema: Schema(models), sortIndexes: []
            )
            .create(at: .standard, level: 1).path)
        #expect(try SnapshotText(path).lines.contains { $0.contains(#""model":"\#(model)""#) })
        await #expect(throws: SnapshotError.self) { try await snapshots(fixture).verify(path) }
        await #expect(throws: SnapshotError.self) { try await snapshots(fixture).restore(from: path) }
    }

    @Test("An account without its password hash is rejected")
    func withoutSecrets() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        var text = try SnapshotText(path)
        let line = try #require(text.lines.firstIndex { $0.contains("scrypt-of-ada") })
        text.replace(#""passwordHash":"scrypt-of-ada","#, with: "", inLine: line + 1)
        try text.close()
        let changed = fixture.directory.path + "/changed.jsonl.gz"
        try text.write(to: changed)
        let error = await #expect(throws: SnapshotError.self) { try await snapshots(fixture).verify(changed) }
        #expect(error?.reason == .invalid(model: "aviary_account", property: "passwordHash", "The value is missing."))
    }

    @Test(
        "An invalid account name or role is rejected with its line number",
        arguments: [
            ("name", #""name":"ada""#, #""name":"ada\r\u001b[2Kviewer""#), ("name", #""name":"ada""#, #""name":"Ada""#),
            ("role", #""role":"admin""#, #""role":"viewer\u001b[2K""#),
            ("role", #""role":"admin""#, #""role":"Emperor of all""#),
        ])
    func impossible(property: String, text: String, other: String) async throws {
        let fixture = try await served()
        var snapshot = try SnapshotText(try await backup(fixture))
        let line = try #require(snapshot.lines.firstIndex { $0.contains("scrypt-of-ada") }) + 1
        snapshot.replace(text, with: other, inLine: line)
        try snapshot.close()
        let changed = fixture.directory.path + "/changed.jsonl.gz"
        try snapshot.write(to: changed)
        let error = await #expect(throws: SnapshotError.self) { try await snapshots(fixture).verify(changed) }
        guard case .invalid("aviary_account", property, _) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.line == line)
    }

    @Test("A restore plan reports renamed accounts and unknown roles")
    func renamed() async throws {
        let fixture = try await served()
        let path = try await backup(fixture)
        try await change(fixture, ["name": .text("mallory")])
        let repository = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], roles: ["viewer"]
        )
        _ = try await repository.restore(from: path) { plan in
            #expect(
                plan.accounts == [
                    AccountEffect("ada", .unknownRole("admin")), AccountEffect("mallory", .renamed(to: "ada")),
                ])
            #expect(plan.accounts.last?.words == "mallory will be renamed to ada")
            return false
        }
    }

    @Test("A summary has no list of unknown roles if the schema has no accounts")
    func nobodyLooked() async throws {
        let fixture = try await served(), without = try StoreFixture(Schema([Supplier.schema]))
        func unknown(_ fixture: StoreFixture) async throws -> [SnapshotSummary.UnknownRole]? {
            let repository = SQLSnapshotRepository(
                data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], roles: ["admin"]
            )
            return try await repository.verify(try await backup(fixture)).unknownRoles
        }
        #expect(try await unknown(fixture) == [])
        #expect(try await unknown(without) == nil)
    }

    private func served() async throws -> StoreFixture {
        let fixture = try StoreFixture(Schema([Supplier.schema] + Schema.builtIn), now: { Self.now })
        var ada = Account(name: "ada", role: "admin", passwordHash: "scrypt-of-ada", createdAt: Self.now)
        ada.oneTimeSecret = "sealed-of-ada"
        ada.recoveryCodes = ["hash-of-code"]
        try await fixture.insert(
            Supplier("Hay & Co", accessKey: "opensesame-1"), ada, session(of: ada.id.uuid, 1),
            SignInAttempts(id: RecordID(), failures: 3, lastFailureAt: Self.now),
            SignInLink(id: RecordID(), account: ada.id.uuid, expiresAt: Self.now + 600),
            AuditEvent(.signIn, at: Self.now, account: "ada", address: "192.0.2.1"))
        return fixture
    }

    private func session(of account: UUID, _ epoch: Int) -> AccountSession {
        AccountSession(
            id: RecordID(), account: account, epoch: epoch, at: Self.now, address: "192.0.2.1", userAgent: "test")
    }

    private func change(_ fixture: StoreFixture, _ values: [String: FieldValue], of name: String = "ada") async throws {
        let account = try #require(
            try await fixture.records(Account.self).fetchAll().first { $0.title(in: Account.schema) == name })
        try await fixture.submit(
            .update(model: "aviary_account", id: account.id, version: account.version, values: values))
    }

    private func accounts(_ fixture: StoreFixture) async throws -> [Account] {
        try await fixture.records(Account.self).fetchAll().map { record in
            var reader = FieldReader(record, of: Account.self)
            return try Account(from: &reader)
        }
    }

    private func snapshots(_ fixture: StoreFixture) -> SQLSnapshotRepository {
        let store = fixture.store
        return SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: [], runningStore: { store })
    }

    private func backup(_ fixture: StoreFixture) async throws -> String {
        try #require(try await snapshots(fixture).create(at: .standard, level: 1).path)
    }

    private func rows(_ fixture: StoreFixture, _ tables: [String]) throws -> [String] {
        try contents(of: fixture.directory.path).filter { row in tables.contains { row.hasPrefix($0 + " ") } }
            // The numbers of the rows are internal to the engine.
            .map { $0.split(separator: " ", maxSplits: 1).joined(separator: " ") }.sorted()
    }
}
