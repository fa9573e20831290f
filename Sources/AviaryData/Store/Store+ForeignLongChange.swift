import AviaryDomain
import Foundation

/// An error of a step: the store of another host has changed, begun or ended the long change meanwhile.
struct ChangedByOtherHost: Error {}

// One host makes a long change. The others know its rows, and wait for its end. Each step reads the change again if another host
// has committed, so that it is safe for a host to continue one that another has left.
extension Store {
    /// The time after which the change of a host that makes no steps is continued by another.
    private static let patienceWithOthers: Duration = .seconds(30)
    private static let pauseBetweenLooks: Duration = .milliseconds(500)

    /// The name of this host's directory, which is the same after a restart; nil for a store that only one host uses.
    static func host(of directory: DataDirectory, _ connection: any WriterConnection) -> String? {
        connection.database == nil ? nil : ProcessInfo.processInfo.hostName + ":" + directory.path
    }

    var host: String? { Self.host(of: directory, connection) }

    private func isOwn(_ change: LongChange?) -> Bool { change == nil || change?.host == host }

    /// Replaces what the store knows about the long change by what the database contains.
    ///
    /// It must be called in a transaction.
    func adopt(_ stored: LongChange?) throws {
        // While the records of a request are noted, the database contains a change that its successor gives up.
        let known = longChanges.roots.isEmpty ? longChanges.change : longChanges.change?.givenUp
        guard stored != known else { return }
        longChanges.change = stored
        longChanges.roots = []
        longChanges.stopped = nil
        longChanges.seen = isOwn(stored) ? nil : .now
        let requests = longChanges.requests
        longChanges.requests = []
        for job in requests { try sort(job, by: stored) }
        scheduleLongChange()
    }

    /// Answers the requester of a long change that was changed meanwhile, or lets it wait.
    private func sort(_ job: Job, by stored: LongChange?) throws {
        guard let id = job.work.changeSet else { return }
        if let stored, stored.id == id, stored.phase == .preparing || stored.phase == .checking {
            longChanges.requests.append(job)
        } else if let receipt = try CommitTable.receipt(id.canonicalText, in: connection) {
            job.answer(.success(Receipt(changeSet: id, commit: receipt.commit, isRepeat: false)))
        } else {
            longChanges.waiting.append(job)
        }
    }

    /// Looks whether the change of another host has ended, and continues it if that host makes no steps.
    func watch(_ change: LongChange) throws {
        try transaction {
            guard longChanges.change == change, let seen = longChanges.seen, .now - seen > Self.patienceWithOthers
            else { return }
            var change = change
            change.host = host
            try change.write(to: connection)
            longChanges.change = change
            longChanges.seen = nil
        }
        scheduleLongChange(after: Self.pauseBetweenLooks)
        // Jobs that still concern rows of the change wait again.
        releaseHeld()
    }
}
