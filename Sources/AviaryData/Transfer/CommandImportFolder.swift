package import AviaryDomain
import Crypto
import Foundation
import Synchronization

/// The imports that commands began on a data directory and did not complete.
///
/// Each has a folder under the key of its command, so that the same command with the same file finds it again.
package struct CommandImportFolder: Sendable {
    /// The beginning of the names of the folders, which distinguishes them from those of uploaded files.
    static let prefix = "command-"
    /// The lifetime of an incomplete import, in seconds. An older one is no longer continued.
    static let lifetime: TimeInterval = 30 * 86_400

    private let path: String

    /// Creates the imports of a data directory.
    package init(data path: String) {
        self.path = path + "/imports"
    }

    /// Returns the key of a command: the digest of its settings and of the bytes of its file.
    ///
    /// - Parameters:
    ///   - settings: The settings that decide what the import stores.
    ///   - file: The path of the file.
    /// - Throws: ``FileError`` if the file cannot be read.
    package static func key(of settings: [String], file: String) async throws -> String {
        try await BlockingWork.run {
            var hash = SHA256()
            // The length precedes each text, so that two lists of settings never have the same bytes.
            for text in settings { hash.update(data: Data("\(text.utf8.count):\(text)".utf8)) }
            let bytes = try FileBytes(file)
            while true {
                let part = bytes.next()
                if part.isEmpty { break }
                hash.update(data: part)
            }
            if let failure = bytes.failure { throw failure }
            return hash.finalize().hexadecimal
        }
    }

    /// Returns the incomplete imports, the oldest first. An import whose process has ended is interrupted.
    package func jobs() -> [ImportJob] {
        folders().compactMap { JobFile<ImportJob>(folder: path + "/" + $0).read() }.filter { $0.command != nil }
            .sorted { $0.startedAt < $1.startedAt }
    }

    /// Begins an import, or continues the one that the same command left.
    ///
    /// - Parameters:
    ///   - job: The job to begin with. It has a command.
    ///   - startsOver: A Boolean value that indicates whether to forget what the same command left.
    /// - Throws: ``ImportFileError/busy`` while another process runs the same import;
    ///   ``ImportFileError/unwritable``.
    package func begin(_ job: ImportJob, startsOver: Bool = false) throws(ImportFileError) -> CommandImportRecord {
        let folder = path + "/" + Self.prefix + (job.command?.key ?? "").prefix(32)
        for path in [path, folder] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .unwritable }
        }
        let file = JobFile<ImportJob>(folder: folder)
        let lock: JobLock
        do {
            guard let free = try file.lock() else { throw ImportFileError.busy }
            lock = free
        } catch ImportFileError.busy {
            throw .busy
        } catch {
            throw .unwritable
        }
        // While the lock is held here, no other process continues the job.
        var next = job
        if let last = file.read(), !startsOver, last.command?.key == job.command?.key {
            next = last
            next.resume()
        }
        do {
            try file.write(next)
        } catch {
            throw .unwritable
        }
        return CommandImportRecord(job: next, file: file, lock: lock)
    }

    /// Forgets an incomplete import, unless a process runs it.
    package func forget(_ job: ImportJob) {
        let file = JobFile<ImportJob>(folder: path + "/" + Self.prefix + (job.command?.key ?? "").prefix(32))
        // A job whose lock cannot be taken is running, or expires.
        guard let lock = try? file.lock() else { return }
        file.remove()
        withExtendedLifetime(lock) {}
    }

    private func folders() -> [String] {
        // Without a folder there are no imports.
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasPrefix(Self.prefix) }
    }
}

/// The durable record of an import that a command runs. The process holds its lock.
package final class CommandImportRecord: Sendable {
    /// The job at the beginning of this run.
    package let job: ImportJob
    private let file: JobFile<ImportJob>
    private let lock: JobLock
    private let reporter: JobReporter<ImportJob>

    fileprivate init(job: ImportJob, file: JobFile<ImportJob>, lock: JobLock) {
        self.job = job
        self.file = file
        self.lock = lock
        reporter = JobReporter(job: job, file: file)
    }

    /// The place in which the import records its progress.
    package var notes: any JobNotes<ImportJob> { reporter }

    /// Ends the run: an import that is complete or has stored nothing is forgotten, and another one can be continued.
    package func end(_ job: ImportJob) {
        guard job.state != .done, !job.hasStoredNothing else { return file.remove() }
        reporter.finish { kept in
            kept = job
            kept.state = .interrupted
        }
    }
}

/// A file that is being imported, under a name under which no other import finds it.
///
/// It is removed with its object, unless it is given back or left for another import to continue.
final class ClaimedFile: ImportSource {
    static let ending = ".taken"

    private let path: String
    private let source: FileImportSource
    private let isKept = Atomic(false)

    /// Takes a file; nil if another process has taken it or it cannot be read.
    convenience init?(_ path: String) {
        // If two processes try at once, one of them finds the file gone.
        guard rename(path, path + Self.ending) == 0 else { return nil }
        self.init(leftAs: path)
    }

    /// Creates a file that another process has left. The caller must hold its lock.
    ///
    /// - Parameter path: The path that the file had before it was taken.
    init?(leftAs path: String) {
        self.path = path
        let taken = path + Self.ending
        // The import starts now, when the file may be about to expire.
        Self.touch(taken)
        // Who cannot read it finds none. It remains until it expires, because the reason may pass.
        guard let source = try? FileImportSource(taken, limits: .uploaded) else { return nil }
        self.source = source
    }

    deinit {
        if !isKept.load(ordering: .acquiring) { unlink(path + Self.ending) }
    }

    /// Renames the file so that it can be found again.
    func release() {
        leave()
        Self.release(path)
    }

    /// Keeps the file so that another import can continue it, with the lifetime of a new file.
    func leave() {
        Self.touch(path + Self.ending)
        isKept.store(true, ordering: .releasing)
    }

    /// Gives back a file whose process has ended.
    static func release(_ path: String) {
        rename(path + ending, path)
    }

    /// Removes a taken file that no import continues.
    static func remove(_ path: String) {
        unlink(path + ending)
    }

    private static func touch(_ taken: String) {
        utimensat(AT_FDCWD, taken, nil, 0)
    }

    var hasLinksOnBothSides: Bool { source.hasLinksOnBothSides }
    func columns() throws -> [String] { try source.columns() }
    func records() throws -> any ImportReader { try source.records() }
}
