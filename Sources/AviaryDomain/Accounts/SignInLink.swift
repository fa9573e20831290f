package import Foundation

/// A link with which its holder chooses an account's password, once.
///
/// It serves to create the first account, or to set the password of a person who has none yet or has lost it. It
/// does not replace a second factor. The store contains only its hash.
package struct SignInLink: Model {
    package static let modelName = "aviary_link"

    package var id: RecordID<SignInLink>
    /// The account whose password the link sets; nil when it leads to the form that creates the first admin.
    package var account: UUID?
    /// The account's ``Account/epoch`` when the link was created. What ends the account's sessions also ends its
    /// links.
    package var epoch: Int
    package var expiresAt: Date
    /// The name of the account that created the link; nil for a link of an earlier version.
    package var maker: String?

    package static let schema = ModelSchema(
        SignInLink.self,
        [
            PropertyDefinition(\.account, "account", attributes: [.indexed]),
            PropertyDefinition(\.epoch, "epoch"),
            PropertyDefinition(\.expiresAt, "expiresAt", attributes: [.indexed]),
            PropertyDefinition(\.maker, "maker"),
        ]
    ).snapshots(.nothing)

    package init(id: RecordID<SignInLink>, account: UUID?, epoch: Int = 0, expiresAt: Date, maker: String? = nil) {
        self.id = id
        self.account = account
        self.epoch = epoch
        self.expiresAt = expiresAt
        self.maker = maker
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        account = try reader.next("account")
        epoch = try reader.next("epoch")
        expiresAt = try reader.next("expiresAt")
        maker = try reader.next("maker")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(account)
        writer.bind(epoch)
        writer.bind(expiresAt)
        writer.bind(maker)
    }
}

/// A proof that a person entered the right password and still has to enter a one-time password.
package struct SignInTicket: Sendable, Hashable {
    package let account: UUID
    package let epoch: Int
    package let expiresAt: Date

    package init(account: UUID, epoch: Int, expiresAt: Date) {
        self.account = account
        self.epoch = epoch
        self.expiresAt = expiresAt
    }

    /// The lifetime in seconds. It is long enough to find a phone.
    package static let lifetime: TimeInterval = 300
}

/// A service that issues tickets which only the receiving browser can use.
package protocol SignInTickets: Sendable {
    func seal(_ ticket: SignInTicket) -> String
    /// Returns the ticket in a sealed text; nil unless it was sealed here for this browser.
    func open(_ text: String) -> SignInTicket?
}

/// A path of this server, with its query, which is a safe target of a redirect.
///
/// Browsers interpret `//host` and `/\\host` as another server, and remove tabs and line breaks first.
package struct LocalPath: Sendable, Hashable {
    package let text: String

    /// Creates a path from a text; nil when the text could lead to another site.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.longest else { return nil }
        if bytes.count > 1, bytes[1] == UInt8(ascii: "/") || bytes[1] == UInt8(ascii: "\\") { return nil }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
        self.text = text
    }

    private static let longest = 2000
}
