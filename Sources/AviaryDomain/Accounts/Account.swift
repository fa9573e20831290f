package import Foundation

/// A person or program that may sign in.
///
/// Accounts are stored as the records of any model, so the history contains their changes. They are disabled and never
/// deleted, because the history knows people by their names.
package struct Account: Model {
    package static let modelName = "aviary_account"

    package var id = RecordID<Account>()
    /// The account's name in lower case; see ``AccountName``.
    package var name: String
    /// The name of a ``Role``.
    package var role: String
    /// scrypt, with its parameters and its salt; nil where nobody can sign in by a password yet.
    package var passwordHash: String?
    /// The sealed secret of the second factor; nil where there is none.
    package var oneTimeSecret: String?
    /// The time step of the last one-time password that was accepted: none is accepted twice.
    package var lastOneTimeStep = 0
    /// Hashes of the recovery codes that are left, with spaces between: a secret is a text.
    private var recoveryHashes: String?
    /// Sessions and drafts name the epoch in which they began, and are worth nothing in another. It grows with a new
    /// password, when the account is disabled or its role is changed, and when it is signed out everywhere.
    package var epoch = 1
    package var isDisabled = false
    package var createdAt: Date

    package static let schema = ModelSchema(
        Account.self,
        [
            PropertyDefinition(\.name, "name", attributes: [.required, .unique, .length(1...AccountName.longest)]),
            PropertyDefinition(\.role, "role", attributes: [.required]),
            PropertyDefinition(\.passwordHash, "passwordHash", attributes: [.secret]),
            PropertyDefinition(\.oneTimeSecret, "oneTimeSecret", attributes: [.secret]),
            PropertyDefinition(\.lastOneTimeStep, "lastOneTimeStep", default: { 0 }),
            PropertyDefinition(\.recoveryHashes, "recoveryHashes", attributes: [.secret]),
            PropertyDefinition(\.epoch, "epoch", default: { 1 }),
            PropertyDefinition(\.isDisabled, "isDisabled", default: { false }),
            PropertyDefinition(\.createdAt, "createdAt"),
        ]
    ).snapshots(.everything)

    package init(name: String, role: String, passwordHash: String?, createdAt: Date) {
        self.name = name
        self.role = role
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        role = try reader.next("role")
        passwordHash = try reader.next("passwordHash")
        oneTimeSecret = try reader.next("oneTimeSecret")
        lastOneTimeStep = try reader.next("lastOneTimeStep")
        recoveryHashes = try reader.next("recoveryHashes")
        epoch = try reader.next("epoch")
        isDisabled = try reader.next("isDisabled")
        createdAt = try reader.next("createdAt")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(role)
        writer.bind(passwordHash)
        writer.bind(oneTimeSecret)
        writer.bind(lastOneTimeStep)
        writer.bind(recoveryHashes)
        writer.bind(epoch)
        writer.bind(isDisabled)
        writer.bind(createdAt)
    }
}

extension Account {
    /// Hashes of the recovery codes that are left.
    package var recoveryCodes: [String] {
        get { recoveryHashes?.split(separator: " ").map(String.init) ?? [] }
        set { recoveryHashes = newValue.isEmpty ? nil : newValue.joined(separator: " ") }
    }
}
