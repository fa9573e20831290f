package import Foundation

/// An import that somebody began in the admin. What it came to is kept until the same person imports records of the
/// model again.
package struct ImportJob: BackgroundJob, Hashable {
    /// A batch that was sent to the store. Until the answer arrives, only the store's receipts say whether it is
    /// stored.
    package struct SentBatch: Sendable, Hashable, Codable {
        package let changeSet: UUID
        package let report: ImportReport

        package init(changeSet: UUID, report: ImportReport) {
            self.changeSet = changeSet
            self.report = report
        }
    }

    /// The name under which the file is kept.
    package let file: String
    package let startedAt: Date
    /// The id of the series of its change sets; nil for a job that began before jobs had one.
    package let series: UUID?
    /// The store's restore epoch when the job began. After another restore, nothing says that the stored batches are in
    /// the store.
    package var restoreEpoch: String?
    /// The settings by which the file is read, as fields of the form.
    package let form: [FormField]
    package var state = JobState.running
    package var progress = ImportProgress(.checking)
    /// The counts of the batches that the store has acknowledged.
    package var stored = ImportReport()
    package var sent: SentBatch?
    /// The reason of the failure.
    package var reason: String?
    /// The problems in the file's lines, when they are the reason of the failure.
    package var problems: [LineProblem] = []
    package var moreProblems = 0
    package var wrongLines: WrongLines?

    package init(of file: String, form: [FormField], at time: Date) {
        self.file = file
        self.form = form
        startedAt = time
        series = .version7()
    }

    /// A Boolean value that indicates whether the file can be imported as if the job had not run.
    package var hasStoredNothing: Bool { stored.commits.isEmpty && sent == nil }

    /// A Boolean value that indicates whether the job ended before everything was stored.
    package var hasStopped: Bool { state == .failed || state == .interrupted }

    /// Looks again at what is behind what it stored.
    package mutating func goOn() {
        state = .running
        progress = ImportProgress(.checking)
        reason = nil
        problems = []
        moreProblems = 0
        wrongLines = nil
    }

    /// Notes what became of what was sent.
    ///
    /// - Parameter commit: Which stored it; nil when none did.
    package mutating func settle(commit: Int64?) {
        if let sent, let commit {
            stored.add(sent.report, storedBy: Receipt(changeSet: sent.changeSet, commit: commit, isRepeat: false))
        }
        sent = nil
    }

    package mutating func fail(_ error: ImportError) {
        state = .failed
        if case .lines(let problems, let more, _) = error {
            self.problems = problems
            moreProblems = more
        }
        wrongLines = error.wrongLines
        reason = wrongLines == nil ? error.description : nil
    }
}
