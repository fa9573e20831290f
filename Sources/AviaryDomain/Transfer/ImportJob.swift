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

/// Files of records that people brought, each to be looked at and imported by who brought it, until it is too old.
package protocol ImportFiles: Sendable {
    /// Keeps a file. When one account has too many files for the model, the oldest is deleted.
    ///
    /// - Parameter next: A closure that returns the file's next bytes; nil at the end.
    /// - Returns: The name under which the file is kept.
    /// - Throws: ``ImportFileError``; the error of `next`.
    func keep(by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?) async throws
        -> String

    /// Returns the file; nil when it does not exist any more, or when it belongs to another account or model.
    func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)?

    /// Removes it, if it is there.
    func discard(_ id: String, of account: String, for model: String) async

    /// Begins to import the file, which goes on after the answer; one at a time of an account for a model. Nobody finds
    /// the file meanwhile. It goes when all of it was stored, is there again when nothing was, and else waits for
    /// ``goOn(with:of:for:_:)``.
    ///
    /// - Parameter work: Returns the job as it ended.
    /// - Throws: ``ImportFileError``.
    func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Goes on with the last import, which ended when something of its file was stored, or may have been.
    ///
    /// - Parameter work: Is given the job as it was left, and returns it as it ended.
    /// - Throws: ``ImportFileError``.
    func goOn(
        with id: String, of account: String, for model: String,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Returns a Boolean value that indicates whether the file of an ended import exists, so that the import can go on.
    func isWaiting(_ id: String, of account: String, for model: String) async -> Bool

    /// The last one that was begun; nil where there was none, or it is long ago.
    func job(of account: String, for model: String) async -> ImportJob?
}

package enum ImportFileError: Error, Sendable, Hashable {
    /// Bytes that a file may have.
    case tooLarge(limit: Int)
    /// The file contains nothing.
    case empty
    case unwritable
    /// The file does not exist any more.
    case gone
    /// Another import of the account for the model goes on.
    case busy
}
