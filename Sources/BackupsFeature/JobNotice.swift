package import AviaryDesign
package import AviaryDomain

/// What goes on, or what came of it.
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
        case .interrupted: .warning
        }
    }

    private var text: String {
        let file = job.file ?? "the backup"
        return switch (job.state, job.task) {
        case (.running, _):
            "\(what) \(job.author) began this. \(job.progress?.words ?? "It begins…") This page shows how it goes on, and may be left."
        case (.done, .take): "\(file) was taken."
        case (.done, .prove): "\(file) was restored for a trial, and everything was there."
        case (.done, .inspect): "\(file) was looked through: everything is as it must be."
        case (.done, .restore):
            "\(file) was restored." + (job.text.map { " What was there before is kept in \($0)." } ?? "")
        case (.failed, _): "\(what) It failed, and nothing was changed: \(job.text ?? "")"
        case (.interrupted, .restore):
            "\(what) It was interrupted. Everything is as before, or as in the backup, and nothing in between: look at the records."
        case (.interrupted, _): "\(what) It was interrupted. Nothing was changed. Begin it again."
        }
    }

    private var what: String {
        switch job.task {
        case .take: "A backup is taken."
        case .prove: "\(job.file ?? "") is restored for a trial."
        case .inspect: "What \(job.file ?? "") would change is looked up."
        case .restore: "\(job.file ?? "") is restored."
        }
    }
}
