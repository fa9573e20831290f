package import Foundation

/// An import that a user began in the admin, or that a command began.
///
/// The result of an import in the admin is kept until the same user imports records of the same model again. The job of
/// a command is kept until its import is complete.
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

    /// The command that began an import, so that its repetition continues the import.
    package struct Command: Sendable, Hashable, Codable {
        /// The name of the model.
        package let model: String
        /// The absolute path of the file; nil for standard input.
        package let path: String?
        /// The digest of the file's bytes and of the settings. Only the same command with the same file has it.
        package let key: String
        /// The arguments of the command.
        package let arguments: [String]

        package init(model: String, path: String?, key: String, arguments: [String]) {
            self.model = model
            self.path = path
            self.key = key
            self.arguments = arguments
        }
    }

    /// The account that began an import in the admin, for which the server continues the import after its process
    /// ended.
    package struct Owner: Sendable, Hashable, Codable {
        package let account: UUID
        /// The epoch of the account, which changes with its password and when it is signed out everywhere.
        package let epoch: Int
        /// The name of the model.
        package let model: String
        /// The code of the language in which the import describes its problems; nil for the application's first one.
        package let language: String?

        package init(account: UUID, epoch: Int, model: String, language: String?) {
            self.account = account
            self.epoch = epoch
            self.model = model
            self.language = language
        }
    }

    /// The name under which the file is kept; for a command, the name of the file.
    package let file: String
    /// The command that began the import; nil for an import in the admin.
    package let command: Command?
    /// The account that began the import in the admin; nil for a command, and for a job of an earlier version.
    package let owner: Owner?
    package let startedAt: Date
    /// The id of the series of its change sets; nil for a job that began before jobs had one.
    package let series: UUID?
    /// The store's restore epoch when the job began. After another restore, the stored batches may be missing from
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
    package var problems: [LineError] = []
    package var moreProblems = 0
    /// All problems in the file's lines by their message, with a few values; nil for a job of an earlier version.
    private var groupedProblems: ProblemSummary?
    package var wrongLines: RejectedLines?
    /// Indicates whether the audit log has the event of the import.
    package var hasEvent: Bool?
    /// The number of lines that the import leaves out because they have problems; nil before they are known.
    package var leftOut: Int?
    /// The number of times that the server continued the import since it last came further than before.
    private var attempts: Int?
    /// The progress of the attempt that came furthest since a batch was stored.
    private var furthest: ImportProgress?
    /// The largest number of such attempts. The file may be what ends the process.
    private static let mostAttempts = 3

    /// Creates a job.
    ///
    /// - Parameters:
    ///   - file: The name under which the file is kept; for a command, the name of the file.
    ///   - form: The settings by which the file is read, as fields of the form; empty for a command.
    ///   - command: The command that begins the import; nil for an import in the admin.
    ///   - owner: The account that begins an import in the admin; nil for a command.
    package init(
        of file: String, form: [FormField], at time: Date, command: Command? = nil, owner: Owner? = nil
    ) {
        self.file = file
        self.form = form
        self.command = command
        self.owner = owner
        startedAt = time
        series = .version7()
    }

    /// The name of the file as its owner knows it; nil when it is not known.
    package var title: String? {
        let title = command == nil ? form.value(Self.titleField) : file
        return title.flatMap {
            $0.isBlank ? nil : TextFormatter.beginning(of: $0.printable, longest: Self.longestTitle)
        }
    }

    /// The field among the settings that has the name of the uploaded file.
    package static let titleField = "title"
    private static let longestTitle = 120

    /// Indicates whether the file can be imported as if the job had not run.
    package var hasStoredNothing: Bool { stored.commits.isEmpty && sent == nil }

    /// All problems in the file's lines by their message.
    package var problemSummary: ProblemSummary {
        groupedProblems ?? ProblemSummary(ProblemGroups(problems), more: moreProblems)
    }

    /// Indicates whether the job ended before everything was stored.
    package var hasStopped: Bool { state == .failed || state == .interrupted }

    /// Indicates whether a server continues the job if its process ends, without a request.
    package var continuesByItself: Bool {
        owner != nil && [.running, .interrupted].contains(state) && (attempts ?? 0) < Self.mostAttempts
    }

    /// Restarts the job, which continues after the lines that are already stored.
    ///
    /// - Parameter byItself: Indicates whether nobody requested it.
    package mutating func resume(byItself: Bool = false) {
        if byItself {
            let isFurther = furthest.map { progress.isFurther(than: $0) } ?? false
            attempts = isFurther ? 1 : (attempts ?? 0) + 1
            if isFurther || furthest == nil { furthest = progress }
        } else {
            (attempts, furthest) = (nil, nil)
        }
        state = .running
        progress = ImportProgress(.checking)
        reason = nil
        problems = []
        moreProblems = 0
        groupedProblems = nil
        wrongLines = nil
    }

    /// Records the outcome of the batch that was sent.
    ///
    /// - Parameter commit: The number of the commit that stored the batch; nil when it was not stored.
    package mutating func settle(commit: Int64?) {
        if let sent, let commit {
            (attempts, furthest) = (nil, nil)
            stored.add(sent.report, storedBy: Receipt(changeSet: sent.changeSet, commit: commit, isRepeat: false))
        }
        sent = nil
    }

    /// Records that the file does not exist, so that nobody can continue the job.
    package mutating func failWithoutFile() {
        state = .failed
        reason = localized("The file is no longer available. Upload it again.")
    }

    /// Records the failure, in the words of a page.
    ///
    /// - Parameter model: The model of the file's records.
    package mutating func fail(_ error: ImportError, importing model: ModelSchema) {
        state = .failed
        if case .lines(let problems, let more, _) = error {
            self.problems = problems
            moreProblems = more
            groupedProblems = ProblemSummary(error.groups)
        }
        wrongLines = error.wrongLines
        reason = wrongLines == nil ? error.words(in: model) : nil
    }
}

/// The storage of uploaded files of records. Each file is visible only to the account that uploaded it, and expires.
package protocol ImportFiles: Sendable {
    /// Keeps a file. When one account has too many files for the model, the oldest is deleted.
    ///
    /// - Parameter next: A closure that returns the file's next bytes; nil at the end.
    /// - Returns: The name under which the file is kept.
    /// - Throws: ``ImportFileError``; the error of `next`.
    func keep(by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?) async throws
        -> String

    /// Returns the file; nil when it no longer exists, or when it belongs to another account or model.
    func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)?

    /// Keeps the name of the file as its owner knows it, for as long as the file.
    func name(_ id: String, _ title: String, of account: String, for model: String) async

    /// Returns the name of the file as its owner knows it; nil when it is not known.
    func title(of id: String, of account: String, for model: String) async -> String?

    /// Deletes the file if it exists.
    func discard(_ id: String, of account: String, for model: String) async

    /// Begins to import the file, and returns while the import continues. An account can have one running import per
    /// model.
    ///
    /// During the import, the file is not accessible. After it, the file is deleted if everything was stored, and is
    /// accessible again if nothing was. Otherwise it waits for ``resume(with:of:for:_:)``.
    ///
    /// - Parameters:
    ///   - job: The job.
    ///   - account: The name of the account.
    ///   - model: The name of the model.
    ///   - work: A closure that performs the import and returns the job in its final state.
    /// - Throws: ``ImportFileError``.
    func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Continues the last import, which ended when a part of its file was stored, or may have been stored.
    ///
    /// - Parameters:
    ///   - id: The name of the file.
    ///   - account: The name of the account.
    ///   - model: The name of the model.
    ///   - byItself: Indicates whether nobody requested it.
    ///   - work: A closure that takes the job in its last state, performs the import and returns the job in its
    ///     final state.
    /// - Throws: ``ImportFileError``.
    func resume(
        with id: String, of account: String, for model: String, byItself: Bool,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError)

    /// Indicates whether the file of an ended import exists, so that the import can continue.
    func isWaiting(_ id: String, of account: String, for model: String) async -> Bool

    /// Returns the job that began last; nil when there was none or it has expired.
    ///
    /// A job that a server will continue by itself is reported as running.
    func job(of account: String, for model: String) async -> ImportJob?

    /// Returns the jobs of all accounts whose process ended before them, and that a server continues by itself.
    func interruptedJobs() async -> [ImportJob]
}

// Defaults for a storage that does not know the names of its files.
extension ImportFiles {
    package func name(_ id: String, _ title: String, of account: String, for model: String) async {}
    package func title(of id: String, of account: String, for model: String) async -> String? { nil }
    package func interruptedJobs() async -> [ImportJob] { [] }
}

package enum ImportFileError: Error, Sendable, Hashable {
    /// An error that occurs when the file exceeds the size limit, in bytes.
    case tooLarge(limit: Int)
    /// An error that occurs when the file is empty.
    case empty
    case unwritable
    /// An error that occurs when the file no longer exists.
    case gone
    /// An error that occurs while another import of the account for the model runs.
    case busy
}
