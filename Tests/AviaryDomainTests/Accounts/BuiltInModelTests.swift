import AviaryDomain
import Foundation
import Testing

@Suite("The models that every application has")
struct BuiltInModelTests {
    @Test("They are a schema without mistakes")
    func valid() throws {
        let schema = try Schema(Schema.builtIn)
        #expect(schema.models.allSatisfy { $0.isBuiltIn && $0.name.hasPrefix("aviary_") })
    }

    @Test("What proves who somebody is, is secret")
    func secrets() {
        let secrets = Account.schema.storedProperties.filter(\.isSecret).map(\.name)
        #expect(secrets == ["passwordHash", "oneTimeSecret", "recoveryHashes"])
    }

    @Test("Snapshots contain accounts and events whole, and nothing of sessions, links and attempts")
    func snapshots() {
        let content = Dictionary(uniqueKeysWithValues: Schema.builtIn.map { ($0.name, $0.snapshotContent) })
        #expect(
            content == [
                "aviary_account": .everything, "aviary_session": .nothing, "aviary_attempts": .nothing,
                "aviary_link": .nothing,
                "aviary_event": .everything,
            ])
    }

    @Test("A model of an application cannot take a name of theirs", arguments: ["aviary_account", "aviary_mine"])
    func reserved(name: String) {
        let model = ModelSchema(name: name, properties: AuditEvent.schema.properties)
        #expect(throws: SchemaError.self) { try Schema(Schema.builtIn + [model]) }
    }

    @Test("Recovery codes that are used up leave nothing behind")
    func recoveryCodes() {
        var account = Account(name: "ada", role: "admin", passwordHash: nil, createdAt: .now)
        account.recoveryCodes = ["one", "two"]
        #expect(account.recoveryCodes == ["one", "two"])
        account.recoveryCodes = []
        #expect(account.fieldValues["recoveryHashes"] == .null)
    }
}
