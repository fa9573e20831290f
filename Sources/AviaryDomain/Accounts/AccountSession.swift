package import Foundation

/// A browser in which a person is signed in.
///
/// The id is a hash of the cookie's secret, so a person who reads the file cannot sign in with it. Neither snapshots
/// nor the history contain sessions.
package struct AccountSession: Model {
    package static let modelName = "aviary_session"

    package var id: RecordID<AccountSession>
    package var account: UUID
    /// The account's ``Account/epoch`` when the session began.
    package var epoch: Int
    package var beganAt: Date
    /// The time of the last request, with a precision of one minute, so that not every request writes.
    package var lastSeenAt: Date
    /// The network address of the last request, as far as the server can tell.
    package var address: String
    /// The name of the browser as it sent it, shortened.
    package var userAgent: String
    /// Indicates whether the session began with a password that was set by a link.
    package var beganByLink: Bool
    /// The time at which the owner last entered the password; nil when they have not entered it in this session.
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
    /// Returns the same session under another id, with which it continues after a change of how its owner signs in.
    /// Its limits stay the same.
    func renewed(as id: UUID, epoch: Int) -> AccountSession {
        var session = self
        session.id = RecordID(id)
        session.epoch = epoch
        return session
    }

    /// The duration for which an entered password counts for actions that require it, in seconds.
    package static let proofTime: TimeInterval = 300

    /// Indicates whether the owner entered the password within the last ``proofTime``.
    package func isProven(at now: Date) -> Bool {
        // `abs`: a clock that was set back must not prolong the proof.
        provenAt.map { abs(now.timeIntervalSince($0)) < Self.proofTime } ?? false
    }
}

/// The acting session, and the id under which it continues after a change of how its owner signs in.
package struct SessionRenewal: Sendable, Hashable {
    package let old: UUID
    /// The new id, which is derived from a new secret that only this browser receives.
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
    /// The duration after which a session ends even when it is in use, in seconds (ASVS 5.0, 7.3.2).
    package var absolute: TimeInterval = 7 * 86_400
    /// The time after the end of a session in which a submitted form is still kept as a draft, in seconds. After it,
    /// the session is forgotten.
    package var remembered: TimeInterval = 7 * 86_400
    /// The greatest age of a stored ``AccountSession/lastSeenAt`` before it is updated, in seconds.
    package var precision: TimeInterval = 60

    /// The smallest duration that ``idle`` and ``absolute`` can have: well above ``precision``.
    package static let shortest: TimeInterval = 300
    /// The largest limits that a server can have.
    ///
    /// The store deletes a session when these limits are over, so it does not need to know the limits of each
    /// server.
    package static let longest: SessionLimits = {
        var limits = SessionLimits()
        (limits.idle, limits.absolute) = (7 * 86_400, 30 * 86_400)
        return limits
    }()

    package init() {}

    package func isOver(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle || now.timeIntervalSince(session.beganAt) > absolute
            // A clock that was set back must not prolong a session.
            || session.beganAt.timeIntervalSince(now) > absolute
    }

    package func isForgotten(_ session: AccountSession, at now: Date) -> Bool {
        now.timeIntervalSince(session.lastSeenAt) > idle + remembered
            || now.timeIntervalSince(session.beganAt) > absolute + remembered
    }

    package func isDue(_ session: AccountSession, at now: Date) -> Bool {
        abs(now.timeIntervalSince(session.lastSeenAt)) > precision
    }

    /// Returns the times from now on at which the session is neither over nor due; nil if it is one of them now.
    package func unchangedTimes(of session: AccountSession, at now: Date) -> Range<Date>? {
        guard !isOver(session, at: now), !isDue(session, at: now) else { return nil }
        let end = min(
            session.lastSeenAt.addingTimeInterval(min(precision, idle)), session.beganAt.addingTimeInterval(absolute))
        return now < end ? now..<end : nil
    }
}

/// The client that asks to sign in, as far as the server can identify it.
package struct ClientInfo: Sendable, Hashable {
    /// The id of the session that begins if the sign-in succeeds.
    package let session: UUID
    package let address: String
    package let userAgent: String
    /// The network that a rate limit counts: for IPv6, the 64 bits that a provider assigns to one customer.
    package let network: String
    /// The present session of the same browser, which the new one replaces.
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
