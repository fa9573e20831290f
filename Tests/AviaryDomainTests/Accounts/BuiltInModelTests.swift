import AviaryDomain
import Foundation
import Testing

@Suite("The built-in models")
struct BuiltInModelTests {
    @Test("The built-in models form a valid schema")
    func valid() throws {
        let schema = try Schema(Schema.builtIn)
        #expect(schema.models.allSatisfy { $0.isBuiltIn && $0.name.hasPrefix("aviary_") })
    }

    @Test("The properties that authenticate an account are secret")
    func secrets() {
        let secrets = Account.schema.storedProperties.filter(\.isSecret).map(\.name)
        #expect(secrets == ["passwordHash", "oneTimeSecret", "recoveryHashes"])
    }

    @Test("A snapshot contains accounts and events, but no sessions, links or sign-in attempts")
    func snapshots() {
        let content = Dictionary(uniqueKeysWithValues: Schema.builtIn.map { ($0.name, $0.snapshotContent) })
        #expect(
            content == [
                "aviary_account": .everything, "aviary_session": .nothing, "aviary_attempts": .nothing,
                "aviary_link": .nothing,
                "aviary_event": .everything,
            ])
    }

    @Test("A model of an application cannot use a reserved name", arguments: ["aviary_account", "aviary_mine"])
    func reserved(name: String) {
        let model = ModelSchema(name: name, properties: AuditEvent.schema.properties)
        #expect(throws: SchemaError.self) { try Schema(Schema.builtIn + [model]) }
    }

    @Test("Using up the recovery codes leaves a null property")
    func recoveryCodes() {
        var account = Account(name: "ada", role: "admin", passwordHash: nil, createdAt: .now)
        account.recoveryCodes = ["one", "two"]
        #expect(account.recoveryCodes == ["one", "two"])
        account.recoveryCodes = []
        #expect(account.fieldValues["recoveryHashes"] == .null)
    }
}
