package import Foundation

/// A link that lets its holder choose an account's password, once: for a first account, for somebody who has no password yet or
/// has lost it. It does not take the place of a second factor. Only its hash is stored.
package struct SignInLink: Model {
    package static let modelName = "aviary_link"

    package var id: RecordID<SignInLink>
    /// Whose password it sets; nil where it leads to the form that makes the first admin.
    package var account: UUID?
    /// The account's ``Account/epoch`` when it was made: what ends its sessions ends its links.
    package var epoch: Int
    package var expiresAt: Date
    /// The name of who made it; nil for one of an earlier version.
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

/// That somebody has given the right password and still has to give a one-time one.
package struct SignInTicket: Sendable, Hashable {
    package let account: UUID
    package let epoch: Int
    package let expiresAt: Date

    package init(account: UUID, epoch: Int, expiresAt: Date) {
        self.account = account
        self.epoch = epoch
        self.expiresAt = expiresAt
    }

    /// The lifetime in seconds: long enough to find one's phone.
    package static let lifetime: TimeInterval = 300
}

/// Gives out tickets that only the browser which got one can use.
package protocol SignInTickets: Sendable {
    func seal(_ ticket: SignInTicket) -> String
    /// Returns the ticket in a sealed text; nil unless it was sealed here for this browser.
    func open(_ text: String) -> SignInTicket?
}

/// A path of this server, with its query: what a redirect may lead to.
///
/// Browsers take `//host` and `/\\host` for another server, and drop tabs and line breaks before they look.
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
