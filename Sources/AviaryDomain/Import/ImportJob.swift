package import Foundation

/// An import that somebody began in the admin. What it came to is kept until the same person imports records of the model again.
package struct ImportJob: BackgroundJob, Hashable {
    /// What was sent to the store. Until the answer is there only the store's receipts tell whether it is stored.
    package struct SentBatch: Sendable, Hashable, Codable {
        package let changeSet: UUID
        package let report: ImportReport

        package init(changeSet: UUID, report: ImportReport) {
            self.changeSet = changeSet
            self.report = report
        }
    }

    /// Under which the file is kept.
    package let file: String
    package let startedAt: Date
    /// Of its change sets; nil of one that was begun before they had any.
    package let series: UUID?
    /// What the store was restored to last when it began: behind another restore nothing says that what it stored is there.
    package var restoreEpoch: String?
    /// How the file is to be understood, as the form says it.
    package let form: [FormField]
    package var state = JobState.running
    package var progress = ImportProgress(.checking)
    /// As far as the store has answered.
    package var stored = ImportReport()
    package var sent: SentBatch?
    /// Why it failed.
    package var reason: String?
    /// What is wrong with the file's lines, which is then why it failed.
    package var problems: [LineProblem] = []
    package var moreProblems = 0
    package var wrongLines: WrongLines?

    package init(of file: String, form: [FormField], at time: Date) {
        self.file = file
        self.form = form
        startedAt = time
        series = .version7()
    }

    /// Whether the file can be imported as if nothing had been.
    package var hasStoredNothing: Bool { stored.commits.isEmpty && sent == nil }

    /// Whether it ended before all was stored.
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
