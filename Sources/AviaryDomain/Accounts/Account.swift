package import Foundation

/// A person or program that may sign in.
///
/// Accounts are stored as the records of any model, so the history contains their changes. They are disabled and
/// never deleted, because the history refers to people by their names.
package struct Account: Model {
    package static let modelName = "aviary_account"

    package var id = RecordID<Account>()
    /// The account's name in lower case; see ``AccountName``.
    package var name: String
    /// The name of a ``Role``.
    package var role: String
    /// The scrypt hash of the password, with its parameters and its salt; nil when the account has no password yet.
    package var passwordHash: String?
    /// The sealed secret of the second factor; nil when the account has no second factor.
    package var oneTimeSecret: String?
    /// The time step of the last one-time password that was accepted. No password is accepted twice.
    package var lastOneTimeStep = 0
    /// The hashes of the unused recovery codes, separated by spaces. A secret property must be a text.
    private var recoveryHashes: String?
    /// A number that revokes what was issued to the account before.
    ///
    /// Sessions and drafts contain the epoch in which they began and are invalid in any other. The epoch increases
    /// when the password or the role changes, when the account is disabled, and when it is signed out everywhere.
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
    /// The hashes of the unused recovery codes.
    package var recoveryCodes: [String] {
        get { recoveryHashes?.split(separator: " ").map(String.init) ?? [] }
        set { recoveryHashes = newValue.isEmpty ? nil : newValue.joined(separator: " ") }
    }
}

extension Account {
    /// Returns this account, which comes from a snapshot, adapted to replace the current one.
    ///
    /// Nothing that was revoked since the snapshot becomes valid again: no session of an earlier epoch, no used
    /// one-time password or recovery code, no disabled account.
    package func restored(inPlaceOf current: Account) -> Account {
        var account = self
        account.isDisabled = isDisabled || current.isDisabled
        let isSame =
            name == current.name && role == current.role && passwordHash == current.passwordHash
            && oneTimeSecret == current.oneTimeSecret && account.isDisabled == current.isDisabled
        account.epoch = max(epoch, current.epoch) + (isSame ? 0 : 1)
        let left = Set(current.recoveryCodes)
        account.recoveryCodes = recoveryCodes.filter(left.contains)
        account.lastOneTimeStep = max(lastOneTimeStep, current.lastOneTimeStep)
        return account
    }

    /// Returns each account of a snapshot with the current account that it replaces.
    ///
    /// An account replaces the one with the same id, or else the one with the same name, which may have been created
    /// again.
    package static func pairs(restored: [Account], current: [Account]) -> [(restored: Account, current: Account?)] {
        let byID = Dictionary(current.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let byName = Dictionary(current.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return restored.map { account in (account, byID[account.id] ?? byName[account.name]) }
    }
}

/// The name with which a person signs in.
///
/// A name has 1 to 64 characters: the letters a to z, digits, `.`, `_`, `-`, `@` and `+`. It begins with a letter or
/// a digit. Uppercase letters become lowercase.
package struct AccountName: Sendable, Hashable {
    package static let longest = 64

    package let text: String

    /// A name that no account can have, because it is the address of the form for a new account.
    private static let taken = "new"

    /// Creates a name from typed text; nil when the text is not a valid name.
    package init?(_ typed: String) {
        // Convert ASCII letters only: `lowercased()` would also turn the Kelvin sign into a k.
        let text = String(decoding: typed.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }, as: UTF8.self)
        guard (1...Self.longest).contains(text.utf8.count), text != Self.taken,
            // The name `..` would change the path of the account's page, and commands read a leading hyphen as a
            // flag.
            text.utf8.first.map(Self.isLetterOrDigit) == true,
            text.utf8.allSatisfy({ byte in
                Self.isLetterOrDigit(byte)
                    || [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "+")]
                        .contains(byte)
            })
        else { return nil }
        self.text = text
    }

    package static var rule: String {
        localized(
            "Use up to \(longest) characters: letters a to z, digits, and . _ - @ +. Start with a letter or digit. “\(taken)” is reserved"
        )
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}

/// A reason for which an account is not created or changed.
package enum AccountError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case nameTaken(String)
    case unknownRole(String)
    /// An error that occurs when the change would leave no account that may manage accounts.
    case lastAdmin
    /// An error that occurs when the link was used or has expired.
    case linkSpent
    /// An error that occurs when the acting session has ended in the meantime.
    case signedOut

    package var description: String {
        switch self {
        case .notFound: localized("This account doesn’t exist.")
        case .nameTaken(let name): localized("The account \(name) already exists. Choose another name.")
        case .unknownRole(let role): localized("This program has no role \"\(role)\".")
        case .lastAdmin:
            localized(
                "At least one account must be able to manage accounts. Give another account the role admin first.")
        case .linkSpent: localized("This link was already used or has expired. Ask for a new one.")
        case .signedOut: localized("You were signed out, so nothing was changed. Sign in again.")
        }
    }
}

/// An error that ends a long operation between two of its steps, because the account that began it may not continue
/// it.
package struct AccountEndedError: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String {
        localized(
            "The account that started this was disabled, signed out everywhere, or lost the permission. Changes made before are kept."
        )
    }
}

extension AccountEndedError: RedactedError {
    package var redacted: String { description }
}

extension AccountRepository {
    /// Returns the principal with its account's current permissions; nil when the account is disabled or missing, or
    /// was signed out everywhere since.
    ///
    /// - Throws: `ReadError`.
    package func current(_ principal: Principal) async throws -> Principal? {
        guard let account = try await account(principal.account), account.epoch == principal.epoch else { return nil }
        return self.principal(of: account)
    }

    /// Indicates whether the account still has the role that it had when the principal was created.
    ///
    /// - Throws: `ReadError`.
    package func isGood(_ principal: Principal) async throws -> Bool {
        try await current(principal)?.role == principal.role
    }
}
