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
            if let progress = job.progress?.words {
                localized(
                    "\(what) Started by \(TextFormatter.author(job.author)) (\(progress)). You can leave this page.")
            } else {
                localized("\(what) Started by \(TextFormatter.author(job.author)). You can leave this page.")
            }
        case (.done, .take): localized("Created \(file)")
        case (.done, .prove): localized("The restore test of \(file) passed")
        case (.done, .inspect): localized("Checked \(file) and found no problems")
        case (.done, .restore):
            ([localized("Restored \(file).")]
                + (job.text.map { [localized("The previous data is kept in \($0).")] } ?? [])
                + older).joined(separator: " ")
        case (.done, .upload): localized("Uploaded and checked \(file)")
        case (.failed, .upload): localized("File not uploaded: \(job.text ?? "")")
        case (.failed, _): localized("\(what) Failed, and nothing was changed: \(job.text ?? "")")
        case (.interrupted, .restore) where job.isRestored == true:
            localized(
                "Restored \(file), but the last steps were interrupted. The previous data is kept in the list of backups."
            )
        case (.interrupted, .restore) where job.isRestored != false:
            localized(
                "\(what) Interrupted. The data is either unchanged or completely restored. Check the records."
            )
        case (.interrupted, _): localized("\(what) Interrupted. Nothing was changed. Start again.")
        }
    }

    /// Sentences about the files that earlier restores kept: those that were removed and those that could not be.
    private var older: [String] {
        let removed = job.removed ?? []
        return
            (removed.isEmpty
            ? [] : [localized("Removed data kept by earlier restores: \(TextFormatter.list(removed)).")])
            + (job.notRemoved ?? []).map { localized("Couldn’t remove \($0)") }
            + [job.unsaved].compactMap(\.self).map {
                localized(
                    "The last changes before the restore aren’t in a backup yet. The next backup adds them. \($0)")
            }
    }

    private var what: String {
        switch job.task {
        case .take: localized("Creating a backup.")
        case .prove: localized("Testing the restore of \(job.file ?? "").")
        case .inspect: localized("Checking what restoring \(job.file ?? "") changes.")
        case .restore: localized("Restoring \(job.file ?? "").")
        case .upload: localized("Uploading a backup.")
        }
    }
}

/// The descriptions of backups for users.
enum BackupFormatter {
    static func time(_ date: Date) -> String { date.rfc3339.map(DateTextFormatter.dateAndTime) ?? "" }

    static func origin(_ origin: SnapshotFile.Origin) -> String {
        switch origin {
        case .manual: localized("Manual")
        case .scheduled: localized("Automatic")
        case .beforeRestore: localized("Before a restore")
        case .uploaded: localized("Uploaded")
        }
    }

    /// Returns the numbers of entries of the history and of the audit log in a backup.
    static func log(of snapshot: SnapshotSummary) -> [Fact] {
        guard let log = snapshot.log else { return [] }
        let events = snapshot.counts[AuditEvent.modelName] ?? 0
        return [
            Fact(
                localized("History"),
                log.entries.map { localized($0, one: "1 entry", other: "\($0) entries") } ?? localized("not included")),
            Fact(localized("Audit log"), localized(events, one: "1 entry", other: "\(events) entries")),
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
