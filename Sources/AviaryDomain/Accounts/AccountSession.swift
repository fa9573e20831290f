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

/// The limits of the duration of a session.
package struct SessionLimits: Sendable, Hashable {
    /// The duration without a request after which a session ends, in seconds. OWASP ASVS 5.0, 7.3.1, leaves the figure
    /// to the application.
    package var idle: TimeInterval = 8 * 3600
    /// However busy it is, in seconds: ASVS 7.3.2.
    package var absolute: TimeInterval = 7 * 86_400
    /// The time after the end of a session in which a submitted form is still kept as a draft, in seconds. After it,
    /// the session is forgotten.
    package var remembered: TimeInterval = 7 * 86_400
    /// The greatest age of a stored ``AccountSession/lastSeenAt`` before it is updated, in seconds.
    package var precision: TimeInterval = 60

    /// The smallest duration that ``idle`` and ``absolute`` can have: well above ``precision``.
    package static let shortest: TimeInterval = 300
    /// The greatest limits that a server can have. The store keeps a session until it is forgotten by these, so it need not
    /// know those of a server.
    package static let longest: SessionLimits = {
        var limits = SessionLimits()
        (limits.idle, limits.absolute) = (7 * 86_400, 30 * 86_400)
        return limits
    }()

    package init() {}

    package func isOver(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle || now.timeIntervalSince(session.beganAt) > absolute
            // A clock that was set back must not make a session last longer than it may.
            || session.beganAt.timeIntervalSince(now) > absolute
    }

    package func isForgotten(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle + remembered
            || now.timeIntervalSince(session.beganAt) > absolute + remembered
    }

    package func isDue(_ session: AccountSession, at now: Date) -> Bool {
        abs(now.timeIntervalSince(session.lastSeenAt)) > precision
    }
}

/// The client that asks to sign in, as far as the server can identify it.
package struct Visitor: Sendable, Hashable {
    /// The id of the session that begins when it goes well.
    package let session: UUID
    package let address: String
    package let userAgent: String
    /// The network by which attempts are counted: for IPv6, the 64 bits that a provider assigns to one customer.
    package let network: String
    /// The session that the same browser is in until now.
    package let old: UUID?

    package init(session: UUID, address: String, userAgent: String, network: String? = nil, replacing old: UUID? = nil)
    {
        self.session = session
        self.address = address
        self.network = network ?? address
        self.old = old
        self.userAgent = Self.shortened(userAgent)
    }

    package func session(of account: Account, at now: Date) -> AccountSession {
        AccountSession(
            id: RecordID(session), account: account.id.uuid, epoch: account.epoch, at: now, address: address,
            userAgent: userAgent
        )
    }

    /// Returns the first 200 characters of the text without control characters, because a client may send anything.
    private static func shortened(_ text: String) -> String {
        String(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.prefix(200).map(Character.init))
    }
}
