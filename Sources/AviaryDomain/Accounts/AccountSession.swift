package import Foundation

/// A browser in which somebody is signed in. Its id is made from the cookie's secret and does not tell it: whoever reads
/// the file cannot sign in with what stands there. Neither snapshots nor the history hold sessions.
package struct AccountSession: Model {
    package static let modelName = "aviary_session"

    package var id: RecordID<AccountSession>
    package var account: UUID
    /// The account's ``Account/epoch`` when it began.
    package var epoch: Int
    package var beganAt: Date
    /// To a minute: it is not written with every request.
    package var lastSeenAt: Date
    /// From where it was last seen, as far as the server can tell.
    package var address: String
    /// What the browser says it is, shortened.
    package var userAgent: String
    /// Whether it began with a password that was chosen by a link.
    package var beganByLink: Bool
    /// When its owner last gave the password; nil where there is none.
    package var provenAt: Date?

    package static let schema = ModelSchema(
        AccountSession.self,
        [
            PropertyDefinition(\.account, "account", attributes: [.indexed]),
            PropertyDefinition(\.epoch, "epoch"),
            PropertyDefinition(\.beganAt, "beganAt"),
            PropertyDefinition(\.lastSeenAt, "lastSeenAt", attributes: [.indexed]),
            PropertyDefinition(\.address, "address"),
            PropertyDefinition(\.userAgent, "userAgent"),
            PropertyDefinition(\.beganByLink, "beganByLink", default: { false }),
            PropertyDefinition(\.provenAt, "provenAt"),
        ]
    ).snapshots(.nothing)

    package init(
        id: RecordID<AccountSession>, account: UUID, epoch: Int, at now: Date, address: String, userAgent: String
    ) {
        self.id = id
        self.account = account
        self.epoch = epoch
        beganAt = now
        lastSeenAt = now
        self.address = address
        self.userAgent = userAgent
        beganByLink = false
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        account = try reader.next("account")
        epoch = try reader.next("epoch")
        beganAt = try reader.next("beganAt")
        lastSeenAt = try reader.next("lastSeenAt")
        address = try reader.next("address")
        userAgent = try reader.next("userAgent")
        beganByLink = try reader.next("beganByLink")
        provenAt = try reader.next("provenAt")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(account)
        writer.bind(epoch)
        writer.bind(beganAt)
        writer.bind(lastSeenAt)
        writer.bind(address)
        writer.bind(userAgent)
        writer.bind(beganByLink)
        writer.bind(provenAt)
    }
}

extension AccountSession {
    /// The same session under another id, as it goes on after a change of how its owner signs in. Its limits stay.
    func renewed(as id: UUID, epoch: Int) -> AccountSession {
        var session = self
        session.id = RecordID(id)
        session.epoch = epoch
        return session
    }

    /// How long the password that was given in a session counts for acts that ask for it, in seconds.
    package static let proofTime: TimeInterval = 300

    /// Whether the password was given a few minutes ago at most.
    package func isProven(at now: Date) -> Bool {
        // A clock that was set back must not prolong it.
        provenAt.map { abs(now.timeIntervalSince($0)) < Self.proofTime } ?? false
    }
}

/// The session that somebody acts in, and the id under which it goes on after a change of how they sign in.
package struct SessionRenewal: Sendable, Hashable {
    package let old: UUID
    /// Made from a new secret, which only this browser gets.
    package let new: UUID

    package init(from old: UUID, to new: UUID) {
        self.old = old
        self.new = new
    }
}
