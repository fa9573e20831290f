import Aviary
import Foundation
import TestSupport
import Testing

@testable import AviaryAdmin
@testable import AviaryCommands
@testable import AviaryDomain

@Model
struct Lodge {
    @Attribute(.required) var name: String
}

private struct Lodges: AviaryApp {
    var admin: some Admin { ModelAdmin(Lodge.self) }
}

@Suite("The command zoo keys", .timeLimit(.minutes(Patience.minutes)))
struct KeysCommandTests {
    struct Report: Decodable, Equatable {
        let id: String
        let use: String
    }

    struct Outcome: Decodable {
        let created: String
        let resealed: Int
        let retired: [String]
    }

    private let directory: TestDirectory
    private var data: String { directory.path("data") }
    private var files: KeyFiles { KeyFiles(directory: data + "/keys") }

    init() throws {
        directory = try TestDirectory()
        _ = try ServerDirectory(StoreLocation(data))
    }

    @Test("Listing the keys of a new directory creates none")
    func none() async throws {
        let run = try await Program.run(["keys", "list", "--json", "--data", data])
        #expect(run.exitCode == 0)
        #expect(run.output == "[]\n")
        #expect(!FileManager.default.fileExists(atPath: files.directory))
    }

    @Test("A command for a missing directory fails and does not create it", arguments: ["list", "rotate"])
    func missing(command: String) async throws {
        let run = try await Program.run(["keys", command, "--data", directory.path("elsewhere")])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("does not exist"))
        #expect(!FileManager.default.fileExists(atPath: directory.path("elsewhere")))
    }

    @Test("The list shows each key's use and never the key itself")
    func list() async throws {
        try old("00000001", "00000002")
        let recent = try files.create(KeyID(at: Date().addingTimeInterval(-3600))).id.hexadecimal
        // The key is from the future, so it is not used yet, however late the command runs.
        let new = try files.create(KeyID(at: Date().addingTimeInterval(3600))).id.hexadecimal
        let run = try await Program.run(["keys", "list", "--json", "--data", data])
        #expect(run.exitCode == 0)
        #expect(
            try JSONDecoder().decode([Report].self, from: Data(run.output.utf8)) == [
                Report(id: "00000001", use: "retirable"), Report(id: "00000002", use: "former"),
                Report(id: recent, use: "used"), Report(id: new, use: "accepted"),
            ])
        let text = try await Program.run(["keys", "list", "--data", data]).output
        for id in ["00000001", "00000002", recent, new] {
            #expect(text.contains(id))
            let secret = try Data(contentsOf: URL(filePath: data + "/keys/\(id).key"))
            for part in [
                Base64URL.encode([UInt8](secret)), secret.base64EncodedString(),
                secret.map { String(format: "%02x", $0) }.joined(),
            ] {
                #expect(!(run.output + text).contains(part))
            }
        }
    }

    @Test("A damaged key is listed, and the command fails")
    func damaged() async throws {
        try old("00000001")
        try Data("half".utf8).write(to: URL(filePath: data + "/keys/00000002.key"))
        let run = try await Program.run(["keys", "list", "--data", data])
        #expect(run.exitCode == 1)
        #expect(run.output.contains("00000002") && run.output.contains("can’t be read"))
    }

    @Test("A rotation creates a private key file, removes retirable keys and keeps the others")
    func rotated() async throws {
        try old("00000001", "00000002")
        let run = try await Program.run(["keys", "rotate", "--json", "--data", data])
        #expect(run.exitCode == 0, "\(run.errors)")
        let outcome = try JSONDecoder().decode(Outcome.self, from: Data(run.output.utf8))
        #expect(outcome.retired == ["00000001"])
        #expect(outcome.resealed == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: files.directory).sorted() == [
                "00000002.key", "\(outcome.created).key",
            ])
        let permissions = try FileManager.default.attributesOfItem(atPath: files.directory + "/\(outcome.created).key")[
            .posixPermissions]
        #expect(permissions as? Int == 0o600)
    }

    @Test("A second rotation before the new key is in use is rejected and creates no key")
    func tooSoon() async throws {
        try old("00000001")
        // The rotation is from the future, so its key is not used yet, however late the command runs.
        _ = try await KeyRotation(app: try AppDefinition(Lodges.self), at: StoreLocation(data)).run(
            at: Date().addingTimeInterval(3600))
        let run = try await Program.run(["keys", "rotate", "--data", data])
        #expect(run.exitCode == 1)
        #expect(
            run.errors.contains("Rotate again after that") && run.errors.contains("Keep a key that was made without"))
        #expect(try files.load().keys.count == 2)
    }

    @Test("A key that was created in the same second does not prevent a rotation")
    func sameSecond() async throws {
        let app = try AppDefinition(Lodges.self), now = Date()
        let first = try KeyRing(directory: files.directory, now: { now }).current.id
        let outcome = try await KeyRotation(app: app, at: StoreLocation(data)).run(at: now)
        #expect(try files.load().keys.map(\.id.hexadecimal) == [first.hexadecimal, outcome.created])
    }

    @Test("A rotation without a server reseals second factors and is logged")
    func resealed() async throws {
        let app = try AppDefinition(Lodges.self)
        try old("00000001", "00000002")
        let secret = try await addSecondFactor(of: app)
        let outcome = try await KeyRotation(app: app, at: StoreLocation(data)).run()
        #expect(outcome.resealed == 1 && outcome.retired == ["00000001"])
        // All earlier keys are removed, so that only the new key opens the rest.
        try files.remove(try #require(KeyID(hexadecimal: "00000002")))
        try await DependencyContainer.attached(to: StoreLocation(data), of: app) { container in
            let account = try await container.accounts.existing(try #require(AccountName("ada")))
            let sealed = try #require(account.oneTimeSecret)
            #expect(sealed != secret.sealed)
            let factor = SealedOneTimePasswords(keys: container.keys)
            #expect(factor.secret(in: sealed, of: account.id.uuid) == secret.bytes)
            let events = try await container.accounts.events.fetch(FetchDescriptor())
            #expect(events.filter { $0.kind == .keysRotated }.map(\.subject) == [outcome.created])
            #expect(account.lastOneTimeStep == 7 && account.recoveryCodes == ["h"] && account.epoch == 1)
        }
    }

    @Test("A rotation removes no key while a secret cannot be opened, and names its account")
    func unopened() async throws {
        let app = try AppDefinition(Lodges.self)
        try old("00000003")
        let secret = try await addSecondFactor(of: app)
        // The directory of another host, which has never had the key of the secret.
        try old("00000001", "00000002")
        let lost = try Data(contentsOf: URL(filePath: data + "/keys/00000003.key"))
        try files.remove(try #require(KeyID(hexadecimal: "00000003")))
        let rotation = KeyRotation(app: app, at: StoreLocation(data))
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        let foreign = try await rotation.run(at: now)
        #expect(foreign.unopened == ["ada"] && foreign.resealed == 0 && foreign.retired.isEmpty)
        #expect(try files.load().keys.map(\.id.hexadecimal).prefix(2) == ["00000001", "00000002"])

        try lost.write(to: URL(filePath: data + "/keys/00000003.key"))
        let outcome = try await rotation.run(at: now.addingTimeInterval(60))
        #expect(outcome.unopened.isEmpty && outcome.resealed == 1)
        #expect(outcome.retired == ["00000001", "00000002"])
        try await DependencyContainer.attached(to: StoreLocation(data), of: app) { container in
            let account = try await container.accounts.existing(try #require(AccountName("ada")))
            let factor = SealedOneTimePasswords(keys: container.keys)
            #expect(factor.secret(in: try #require(account.oneTimeSecret), of: account.id.uuid) == secret.bytes)
        }
    }

    @Test("A rotation with a delay seals second factors under the key that all hosts have")
    func delayed() async throws {
        let app = try AppDefinition(Lodges.self)
        try old("00000001")
        let secret = try await addSecondFactor(of: app)
        try old("00000002")
        let outcome = try await KeyRotation(app: app, at: StoreLocation(data)).run(after: 3600)
        #expect(outcome.usedFrom > Date().addingTimeInterval(3000))
        #expect(outcome.resealed == 1 && outcome.retired == ["00000001"])
        // A host that did not receive the new key.
        try files.remove(try #require(KeyID(hexadecimal: outcome.created)))
        try await DependencyContainer.attached(to: StoreLocation(data), of: app) { container in
            let account = try await container.accounts.existing(try #require(AccountName("ada")))
            let factor = SealedOneTimePasswords(keys: container.keys)
            #expect(factor.secret(in: try #require(account.oneTimeSecret), of: account.id.uuid) == secret.bytes)
        }
    }

    @Test("A rotation with a delay names the file to copy")
    func copied() async throws {
        try old("00000001")
        let run = try await Program.run(["keys", "rotate", "--after", "1h", "--data", data])
        #expect(run.exitCode == 0, "\(run.errors)")
        let created = try #require(try files.load().keys.last).id
        #expect(created.createdAt > Date().addingTimeInterval(3000))
        #expect(
            run.errors.contains(
                "Copy this file to the other hosts before then: \(data)/keys/\(created.hexadecimal).key"))
    }

    @Test("A rotation with a delay needs a key that is used until then")
    func delayedWithoutKey() async throws {
        let run = try await Program.run(["keys", "rotate", "--after", "1h", "--data", data])
        #expect(run.exitCode == 1)
        #expect(run.errors.contains("There is no key yet"))
        #expect(try files.load().keys.isEmpty)
    }

    @Test("A delay that is too long or no duration is wrong usage", arguments: ["8d", "0s", "soon", "-1h"])
    func wrongDelay(_ delay: String) async throws {
        try old("00000001")
        let run = try await Program.run(["keys", "rotate", "--after=\(delay)", "--data", data])
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("--after takes a duration"))
        #expect(try files.load().keys.count == 1)
    }

    /// Adds the account ada with a second factor, and one without.
    private func addSecondFactor(of app: AppDefinition) async throws -> (sealed: String, bytes: [UInt8]?) {
        try await DependencyContainer.attached(to: StoreLocation(data), of: app) { container in
            let account = Account(name: "ada", role: "admin", passwordHash: nil, createdAt: Date())
            let factor = SealedOneTimePasswords(keys: container.keys)
            let secret = try factor.makeSecret(for: account.id.uuid, in: UUID(), at: Date())
            let sealed = try factor.stored(secret, of: account.id.uuid)
            try await container.accounts.add(account, by: "test")
            try await container.accounts.add(
                Account(name: "bob", role: "viewer", passwordHash: nil, createdAt: Date()), by: "test")
            try await container.accounts.setSecondFactor(
                sealed, step: 7, recoveryHashes: ["h"], of: account.id.uuid, by: "test")
            return (sealed: sealed, bytes: Base32.decode(secret.base32))
        }
    }

    /// Creates old keys.
    private func old(_ ids: String...) throws {
        if !FileManager.default.fileExists(atPath: files.directory) {
            try FileManager.default.createDirectory(
                atPath: files.directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        for id in ids { _ = try files.create(try #require(KeyID(hexadecimal: id))) }
    }
}
