package import Foundation

/// An event in the audit log, such as a sign-in, an export or a restore.
///
/// Changes of accounts are changes of records, so the history contains those.
package struct AuditEvent: Model {
    package enum Kind: String, Choice {
        case signIn, signInFailed, signOut, export, backup, restore, keysRotated, upload
        /// The creation of a link. The account is its creator, and the subject is the account that it is for.
        case linkMade
        /// The use of a link to set the first password of an account. The account and the subject are the same as
        /// for ``linkMade``; the address is that of the use.
        case linkUsed
        /// The use of a link to replace the password of an account. Otherwise it is the same as ``linkUsed``.
        case passwordSetByLink
        /// A change by another account: it set the subject's password or removed its second factor.
        case passwordSet, secondFactorReset
        /// A rejected request of an account whose role does not allow it. The subject is the method and the path's
        /// pattern.
        case refused
        /// An import that stores records. The id of the event is that of the import's series, and the
        /// subject is the name of the model, followed by that of the file if it is known.
        case recordImport
        /// A command that gives many records the same values. The id of the event is that of the series of its
        /// commits, and the subject is the name of the model, followed by the number of records.
        case recordUpdate
        /// A command that deletes many records. The subject is the same as for ``recordUpdate``.
        case recordDelete
    }

    package static let modelName = "aviary_event"

    package var id = RecordID<AuditEvent>()
    package var time: Date
    package var kind: Kind
    /// The name of the account. For a failed sign-in, it is the typed name if such an account exists.
    package var account: String?
    /// The network address of the client, as far as the server can tell; nil for a command.
    package var address: String?
    /// The object of the event: a model, the name of a file, or the account that it concerns.
    package var subject: String?
    /// The number of occurrences within an hour from ``time``; nil for one.
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

    /// Creates an event with an id by which it belongs to something else.
    package init(_ kind: Kind, id: UUID, at time: Date, account: String?, subject: String?) {
        self.init(kind, at: time, account: account, subject: subject)
        self.id = RecordID(id)
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

extension AuditEvent {
    /// Creates the event of an import; nil for a job that began before jobs had a series.
    ///
    /// - Parameters:
    ///   - model: The model of the file's records.
    ///   - author: The name of the account, or of the command line.
    package init?(of job: ImportJob, into model: ModelSchema, by author: String) {
        guard let series = job.series else { return nil }
        let subject = [model.name, job.title].compactMap(\.self).joined(separator: " ")
        self.init(.recordImport, at: job.startedAt, account: author, subject: subject)
        id = RecordID(series)
    }

    /// The model and the number of records of a command that changed many; nil for another kind of event.
    package var changedRecords: (model: String, count: Int)? {
        guard kind == .recordUpdate || kind == .recordDelete, let subject else { return nil }
        let parts = subject.split(separator: " ", maxSplits: 1).map(String.init)
        guard parts.count == 2, let count = Int(parts[1]) else { return nil }
        return (parts[0], count)
    }

    /// The model and the file of an import; nil for another kind of event.
    package var importedFile: (model: String, file: String?)? {
        guard kind == .recordImport, let subject else { return nil }
        let parts = subject.split(separator: " ", maxSplits: 1).map(String.init)
        return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
    }
}

extension AuditEvent.Kind {
    /// Indicates whether repetitions within an hour are counted by the first event. They are for events that a
    /// client can cause without limit.
    var isCounted: Bool { [.export, .signInFailed, .refused].contains(self) }

    /// The changes that others can make to how an account signs in, and that its owner should know about.
    package static let actsOnAccounts: Set<AuditEvent.Kind> = [
        .linkMade, .linkUsed, .passwordSetByLink, .passwordSet, .secondFactorReset,
    ]
}
