package import Foundation

/// Something that happened beside changes of records: who signed in or failed to, what left the store and what replaced it.
/// Changes of accounts are changes of records and stand in the history themselves.
package struct AuditEvent: Model {
    package enum Kind: String, Choice {
        case signIn, signInFailed, signOut, export, backup, restore, keysRotated, upload
        /// The account is who made the link, the subject whom it is for.
        case linkMade
        /// A link led to an account's first password. Account and subject are those of ``linkMade``; the address is where it
        /// was used.
        case linkUsed
        /// As ``linkUsed``, in place of a password that there was.
        case passwordSetByLink
        /// Somebody else set the subject's password, or took away its second factor.
        case passwordSet, secondFactorReset
        /// The account asked for something that its role does not allow; the subject is the method and the path's pattern.
        case refused
    }

    package static let modelName = "aviary_event"

    package var id = RecordID<AuditEvent>()
    package var time: Date
    package var kind: Kind
    /// The account's name; of a failed sign-in the one that was typed, if there is such an account.
    package var account: String?
    /// From where, as far as the server can tell; nil for a command.
    package var address: String?
    /// What it was about: a model, a file's name, the account that something was done to.
    package var subject: String?
    /// How often it happened within an hour from its time; nil for once.
    package var count: Int?

    package static let schema = ModelSchema(
        AuditEvent.self,
        [
            PropertyDefinition(\.time, "time", attributes: [.indexed]),
            PropertyDefinition(\.kind, "kind"),
            PropertyDefinition(\.account, "account", attributes: [.indexed]),
            PropertyDefinition(\.address, "address"),
            PropertyDefinition(\.subject, "subject", attributes: [.indexed]),
            PropertyDefinition(\.count, "count"),
        ]
    ).snapshots(.everything)

    package init(_ kind: Kind, at time: Date, account: String?, address: String? = nil, subject: String? = nil) {
        self.time = time
        self.kind = kind
        self.account = account
        self.address = address
        self.subject = subject
    }

    package init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        time = try reader.next("time")
        kind = try reader.next("kind")
        account = try reader.next("account")
        address = try reader.next("address")
        subject = try reader.next("subject")
        count = try reader.next("count")
    }

    package func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(time)
        writer.bind(kind)
        writer.bind(account)
        writer.bind(address)
        writer.bind(subject)
        writer.bind(count)
    }
}

extension AuditEvent.Kind {
    /// Whether what happens again within an hour is counted by the first event: what one can do as often as one likes.
    var isCounted: Bool { [.export, .signInFailed, .refused].contains(self) }

    /// What others do to how somebody signs in, and its owner should know of.
    package static let actsOnAccounts: Set<AuditEvent.Kind> = [
        .linkMade, .linkUsed, .passwordSetByLink, .passwordSet, .secondFactorReset,
    ]
}
