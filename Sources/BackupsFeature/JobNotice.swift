package import AviaryDesign
package import AviaryDomain
import Foundation

/// The notice about the progress or the result of a job.
package struct JobNotice: Component {
    let job: SnapshotJob

    package init(job: SnapshotJob) {
        self.job = job
    }

    package func render(into html: inout HTML) {
        html.render(Notice(kind, text))
    }

    private var kind: Notice.Kind {
        switch job.state {
        case .running: .information
        case .done: .success
        case .failed: .failure
        case .interrupted: job.isRestored == true ? .success : .warning
        }
    }

    private var text: String {
        let file = job.file ?? localized("the backup")
        return switch (job.state, job.task) {
        case (.running, _):
            localized(
                "\(what) \(Words.author(job.author)) began this. \(job.progress?.words ?? localized("It begins…")) This page shows how it goes on, and may be left."
            )
        case (.done, .take): localized("\(file) was taken.")
        case (.done, .prove): localized("\(file) was restored for a trial, and everything was there.")
        case (.done, .inspect): localized("\(file) was looked through: everything is as it must be.")
        case (.done, .restore):
            ([localized("\(file) was restored.")]
                + (job.text.map { [localized("What was there before is kept in \($0).")] } ?? [])
                + older).joined(separator: " ")
        case (.done, .upload): localized("\(file) was uploaded, and is as it must be.")
        case (.failed, .upload): localized("The file was refused, and nothing of it was kept: \(job.text ?? "")")
        case (.failed, _): localized("\(what) It failed, and nothing was changed: \(job.text ?? "")")
        case (.interrupted, .restore) where job.isRestored == true:
            localized(
                "\(file) was restored; only what follows was interrupted. What was there before is kept among the backups."
            )
        case (.interrupted, .restore) where job.isRestored != false:
            localized(
                "\(what) It was interrupted. Everything is as before, or as in the backup, and nothing in between: look at the records."
            )
        case (.interrupted, _): localized("\(what) It was interrupted. Nothing was changed. Begin it again.")
        }
    }

    /// Sentences about the files that earlier restores kept: those that were removed and those that could not be.
    private var older: [String] {
        let removed = job.removed ?? []
        return
            (removed.isEmpty
            ? [] : [localized("Of what earlier restores kept, this is removed: \(Words.list(removed)).")])
            + (job.notRemoved ?? []).map { localized("This could not be removed: \($0)") }
    }

    private var what: String {
        switch job.task {
        case .take: localized("A backup is taken.")
        case .prove: localized("\(job.file ?? "") is restored for a trial.")
        case .inspect: localized("What \(job.file ?? "") would change is looked up.")
        case .restore: localized("\(job.file ?? "") is restored.")
        case .upload: localized("A backup is uploaded.")
        }
    }
}

/// The descriptions of backups for users.
enum BackupWords {
    static func time(_ date: Date) -> String { date.rfc3339.map(DateWords.dateAndTime) ?? "" }

    static func origin(_ origin: SnapshotFile.Origin) -> String {
        switch origin {
        case .manual: localized("a person")
        case .scheduled: localized("the server")
        case .beforeRestore: localized("a restore, of what it replaced")
        case .uploaded: localized("upload")
        }
    }

    /// Returns the numbers of history entries, events and receipts in a backup.
    static func log(of snapshot: SnapshotSummary) -> [Fact] {
        guard let log = snapshot.log else { return [] }
        let events = snapshot.counts[AuditEvent.modelName] ?? 0
        return [
            Fact(
                localized("History"),
                log.entries.map { localized($0, one: "1 entry", other: "\($0) entries") } ?? localized("not in it")),
            Fact(localized("Events"), Words.grouped(events)),
            Fact(localized("Receipts"), Words.grouped(log.receipts)),
        ]
    }

    static func interval(_ seconds: TimeInterval) -> String {
        func whole(_ length: TimeInterval) -> Int? {
            let count = seconds / length
            return count >= 1 && count == count.rounded() ? Int(count) : nil
        }
        if let days = whole(86_400) { return localized(days, one: "every day", other: "every \(days) days") }
        if let hours = whole(3600) { return localized(hours, one: "every hour", other: "every \(hours) hours") }
        if let minutes = whole(60) { return localized(minutes, one: "every minute", other: "every \(minutes) minutes") }
        return localized(Int(seconds), one: "every second", other: "every \(Int(seconds)) seconds")
    }
}

/// The addresses of the backup pages.
package enum BackupPaths {
    package static let all = ModelPaths.admin + "/backups"
    package static let upload = all + "/upload"

    package static func backup(_ name: String) -> String { all + "/" + FormEncoding.escape(name) }
    package static func download(_ name: String) -> String { backup(name) + "/download" }
    package static func prove(_ name: String) -> String { backup(name) + "/prove" }
    package static func inspect(_ name: String) -> String { backup(name) + "/inspect" }
    package static func restore(_ name: String) -> String { backup(name) + "/restore" }
}
