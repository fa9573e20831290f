import AviaryData
package import AviaryDomain
package import Foundation
import ImportFeature

/// An import of a command. It is recorded in the data directory until it is complete, so that a repetition of the same
/// command with the same file continues it, however the process ended.
package struct CommandImport {
    package private(set) var job: ImportJob
    private let record: CommandImportRecord
    private let container: DependencyContainer

    fileprivate init(job: ImportJob, record: CommandImportRecord, container: DependencyContainer) {
        self.job = job
        self.record = record
        self.container = container
    }

    /// Stores the lines that follow those that are stored.
    ///
    /// While the store cannot be reached, because it is started again, the import waits.
    ///
    /// - Parameters:
    ///   - report: A closure that is called from time to time with the progress. An error ends the import.
    ///   - reject: A closure that is called with the wrong lines when the import leaves some out.
    ///   - check: A closure that is called while the import waits. An error ends the import.
    ///   - wait: A closure that is called with the reason when the import begins to wait.
    /// - Returns: The report of the whole import, including what earlier runs stored.
    /// - Throws: `ImportError`; the reason for which a batch was not stored, or may not have been. ``job`` says how
    ///   much is stored.
    package mutating func run(
        _ records: RecordImport, _ source: any ImportSource, report: (ImportProgress) async throws -> Void,
        reject: (RejectedRecords) async throws -> Void, check: @escaping @Sendable () throws -> Void,
        wait: @escaping @Sendable (StoreError) -> Void
    ) async throws -> ImportReport {
        let steps = ImportSteps(
            records, source, to: container.commandImportTarget(check: check, wait: wait), author: CommandAuthor.name)
        do {
            try await steps.run(&job, record.notes, report: report, reject: reject)
            job.state = .done
        } catch {
            job.state = .failed
            record.end(job)
            throw error
        }
        record.end(job)
        return job.stored
    }
}

extension DependencyContainer {
    /// Begins an import of a command, or continues the one that the same command left.
    ///
    /// - Parameters:
    ///   - file: The name of the file.
    ///   - path: The absolute path of the file; nil for standard input.
    ///   - input: The path from which the file is read.
    ///   - model: The model of the records.
    ///   - settings: The settings that decide what the import stores.
    ///   - arguments: The arguments of the command.
    ///   - line: The last of the first lines that the import leaves out.
    ///   - startsOver: A Boolean value that indicates whether to forget what an interrupted import of the file left.
    /// - Throws: ``CommandImportError``; the errors of reading the file and the store.
    package func beginImport(
        of file: String, at path: String?, readFrom input: String, into model: ModelSchema, settings: [String],
        arguments: [String], behind line: Int = 0, startsOver: Bool, time: Date = Date()
    ) async throws -> CommandImport {
        let folder = CommandImportFolder(data: directory.path)
        let key = try await CommandImportFolder.key(of: [model.name] + settings, file: input)
        let others = folder.jobs().filter { other in
            guard let command = other.command, let path else { return false }
            return command.model == model.name && command.path == path && command.key != key
                && !other.hasStoredNothing
        }
        if startsOver {
            for other in others { folder.forget(other) }
        } else if let other = others.last {
            throw CommandImportError.otherImport(other)
        }
        var job = ImportJob(
            of: file, form: [], at: time,
            command: ImportJob.Command(model: model.name, path: path, key: key, arguments: arguments))
        job.restoreEpoch = try await ledger.restoreEpoch()
        job.stored.lastLine = line
        let record: CommandImportRecord
        do {
            record = try folder.begin(job, startsOver: startsOver)
        } catch {
            throw error == .busy ? CommandImportError.running : .unwritable(directory.path)
        }
        var last = record.job
        guard last.hasStoredNothing || last.restoreEpoch == job.restoreEpoch else {
            throw CommandImportError.restored
        }
        try await ImportSteps.settle(&last, commandImportTarget(), record.notes)
        let commits = last.stored.commits
        if last.hasStoredNothing {
            last.restoreEpoch = job.restoreEpoch
            last.stored = job.stored
        } else if !commits.isEmpty {
            let undone = try await history.undoneCommits(of: commits).count
            // After an undo of everything, the import begins again, as an import of its own.
            if undone == commits.count { last = job }
            guard undone == 0 || undone == commits.count else {
                throw CommandImportError.partlyUndone(last, undone: undone)
            }
        }
        try await record.notes.keep { [last] in $0 = last }
        return CommandImport(job: last, record: record, container: self)
    }

    /// The target of an import of a command, which waits while the store cannot be reached.
    fileprivate func commandImportTarget(
        check: @escaping @Sendable () throws -> Void = {}, wait: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) -> ImportTarget {
        ImportTarget(lookUp: StoredRecords(container: self)) {
            try await submitWaiting($0, check: check, wait: wait)
        } commit: { id in
            guard case .saved(let commit)? = try await ledger.outcome(ofDraft: id) else { return nil }
            return commit
        } restoreEpoch: {
            try await ledger.restoreEpoch()
        } isGood: { _ in
            true
        } addEvent: {
            _ = try await submitWaiting($0, check: check, wait: wait)
        }
    }

    /// The longest time that a command waits for a store that another process starts again.
    private static var longestWait: Duration { .seconds(600) }
    private static var pause: Duration { .milliseconds(250) }

    /// Submits a change set to the store of another process again and again until the store answers.
    ///
    /// The store commits the change set once, however often it arrives.
    func submitWaiting(
        _ changeSet: ChangeSet, check: @Sendable () throws -> Void, wait: @Sendable (StoreError) -> Void
    ) async throws -> Receipt {
        // A store in this process does not come back.
        guard client != nil else { return try await submitImport(changeSet) }
        let deadline = ContinuousClock.now + Self.longestWait
        var isWaiting = false
        while true {
            do {
                return try await writer.submit(changeSet)
            } catch {
                guard [.unavailable, .unanswered, .busy].contains(error.code), ContinuousClock.now < deadline else {
                    throw error
                }
                try check()
                if !isWaiting { wait(error) }
                isWaiting = true
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}

extension ServerDirectory {
    /// The imports that commands began on the directory, did not complete and stored a part of, the oldest first.
    package var commandImports: [ImportJob] {
        CommandImportFolder(data: path).jobs().filter { !$0.hasStoredNothing }
    }
}

/// An error of a command that neither begins nor continues an import.
package enum CommandImportError: Error, Sendable {
    /// An error that occurs while another process runs the same import.
    case running
    /// An error that occurs when the import cannot be recorded in the data directory with this path.
    case unwritable(String)
    /// An error that occurs when a backup was restored after the import was interrupted.
    case restored
    /// An error that occurs when some of the commits of the interrupted import were undone.
    case partlyUndone(ImportJob, undone: Int)
    /// An error that occurs when an import of the file was interrupted, and the settings or the file differ now.
    case otherImport(ImportJob)
}

extension CommandImportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .running: "Another process runs this import."
        case .unwritable(let path):
            "The import can’t be recorded in \(path). Check the space and the permissions of the directory."
        case .restored:
            "This import was interrupted, and a backup was restored since. Look which of its lines are stored, and add --start-over or --after-line."
        case .partlyUndone(let job, let undone):
            "This import was interrupted, and \(undone) of its \(job.stored.commits.count) commits were undone since. Undo the rest of it, or add --start-over."
        case .otherImport(let job):
            "An import of this file was interrupted after line \(job.stored.lastLine), and the file or the flags were others. Continue it with the same file and flags, undo it, or add --start-over to import the file as a new one."
        }
    }
}
