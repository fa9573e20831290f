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
