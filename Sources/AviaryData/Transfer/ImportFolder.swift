package import AviaryDomain
import Crypto
import Foundation

/// A folder of the data directory for files that users uploaded for import.
package struct ImportFolder: ImportFiles {
    /// The limits of uploaded files, in bytes.
    package struct Bounds: Sendable {
        /// The maximum size of a file: that of any upload.
        package var size = 8 << 30
        /// The maximum size of the files of one account for one model together, beyond which only the newest remains.
        var together = 256 << 20
        /// The size of the part of an upload after which it looks at the free space of the disk.
        var part = 16 << 20
        /// The free space that an upload leaves, because the store is on the same disk.
        var free = 256 << 20

        package init() {}
    }

    /// The maximum number of files of one account for one model. Above it, the oldest are deleted.
    private static let mostFiles = 5
    /// The lifetime of a file, in seconds.
    private static let lifetime: TimeInterval = 3600
    /// The lifetime of the result of an import, in seconds. An older result is no longer reported.
    private static let jobLifetime: TimeInterval = 86_400

    /// The ending of a small file beside an uploaded one, with the name that the user's file has.
    private static let titleEnding = ".title"

    private let path: String
    private let bounds: Bounds

    package init(data path: String, bounds: Bounds = Bounds()) {
        self.path = path + "/imports"
        self.bounds = bounds
    }

    package func keep(
        by account: String, for model: String, _ next: @Sendable () async throws -> [UInt8]?
    ) async throws -> String {
        removeExpired()
        let folder = folder(account, model)
        for path in [path, folder] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw ImportFileError.unwritable }
        }
        let id = (UUID().uuidString + UUID().uuidString).lowercased().filter { $0 != "-" }
        let file: AtomicFile
        do {
            file = try AtomicFile(folder + "/" + id)
        } catch {
            throw ImportFileError.unwritable
        }
        var count = 0, checked = 0
        while let bytes = try await next() {
            count += bytes.count
            guard count <= bounds.size else { throw ImportFileError.tooLarge(limit: bounds.size) }
            if count - checked > bounds.part {
                checked = count
                guard Self.freeSpace(at: folder).map({ $0 > bounds.free }) ?? true else {
                    throw ImportFileError.unwritable
                }
            }
            do {
                try await BlockingWork.run { [sink = file.sink] in try sink.write(bytes) }
            } catch {
                throw ImportFileError.unwritable
            }
        }
        guard count > 0 else { throw ImportFileError.empty }
        do {
            try file.publish()
        } catch {
            throw ImportFileError.unwritable
        }
        removeOldest(in: folder, but: id)
        return id
    }

    package func file(_ id: String, of account: String, for model: String) async -> (any ImportSource)? {
        removeExpired()
        guard let path = existing(id, account, model) else { return nil }
        return try? FileImportSource(path, limits: .uploaded)  // who cannot read it finds none
    }

    package func name(_ id: String, _ title: String, of account: String, for model: String) async {
        guard let path = existing(id, account, model) else { return }
        let name = TextFormatter.beginning(of: title)
        // A file without a name can be imported, too.
        try? Data(name.utf8).write(to: URL(fileURLWithPath: path + Self.titleEnding))
    }

    package func title(of id: String, of account: String, for model: String) async -> String? {
        guard let path = existing(id, account, model) else { return nil }
        return FileManager.default.contents(atPath: path + Self.titleEnding).map { String(decoding: $0, as: UTF8.self) }
    }

    package func discard(_ id: String, of account: String, for model: String) async {
        if Self.isID(id) { unlink(folder(account, model) + "/" + id + Self.titleEnding) }
        if let path = existing(id, account, model) { unlink(path) }
        removeWaiting(id, of: account, for: model)
    }

    /// Returns the number of free bytes on the disk of a folder; nil if the system does not say.
    private static func freeSpace(at path: String) -> Int? {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize)) : nil
    }

    /// Removes expired files and results.
    package func removeExpired() {
        // If there is no folder yet, nothing has expired.
        for folder in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            let isOfCommand = folder.hasPrefix(CommandImportFolder.prefix)
            let importing = isOfCommand ? nil : importing(in: path + "/" + folder)
            if !isOfCommand { AtomicFile.removeAbandoned(in: path + "/" + folder) }
            // The owner of the folder may have removed it meanwhile.
            for name in (try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []
            where isOfCommand || name != JobFileName.lock {
                let file = path + "/" + folder + "/" + name
                let lifetime =
                    isOfCommand
                    ? CommandImportFolder.lifetime
                    : name == JobFileName.job || name == importing ? Self.jobLifetime : Self.lifetime
                if let age = Self.age(of: file), age > lifetime { unlink(file) }
            }
            // Only an empty folder is removed.
            if isOfCommand { rmdir(path + "/" + folder) }
        }
    }

    /// Removes the oldest files, which the account has replaced by uploading another one.
    ///
    /// It does not remove files that are being written or imported.
    func removeOldest(in folder: String, but newest: String) {
        // Files that cannot be listed are removed when they expire.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let others = names.filter { Self.isID($0) && $0 != newest }.compactMap { name in
            Self.modificationDate(of: folder + "/" + name).map { (path: folder + "/" + name, date: $0) }
        }
        var (count, size) = (1, Self.size(of: folder + "/" + newest))
        for file in others.sorted(by: { $0.date > $1.date }) {
            count += 1
            size += Self.size(of: file.path)
            if count > Self.mostFiles || size > bounds.together { unlink(file.path) }
        }
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    private static func isID(_ name: String) -> Bool {
        name.utf8.count == 64 && name.utf8.allSatisfy { $0 >= 48 && $0 <= 57 || $0 >= 97 && $0 <= 102 }
    }

    /// Returns the path of a file that exists and has not expired; otherwise nil.
    ///
    /// - Parameter ending: The suffix that the name of the file now has.
    func existing(_ id: String, _ account: String, _ model: String, ending: String = "") -> String? {
        guard Self.isID(id) else { return nil }
        let path = folder(account, model) + "/" + id
        guard let age = Self.age(of: path + ending), age <= Self.lifetime else { return nil }
        return path
    }

    /// Returns the folder of an account and a model. Names from outside are hashed because they are not safe as
    /// file names.
    func folder(_ account: String, _ model: String) -> String {
        path + "/" + SHA256.hash(data: Data((account + "\0" + model).utf8)).hexadecimal.prefix(32)
    }

    private static func age(of path: String) -> TimeInterval? {
        modificationDate(of: path).map { -$0.timeIntervalSinceNow }
    }

    private static func modificationDate(of path: String) -> Date? {
        // The file does not exist.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return nil }
        return attributes[.modificationDate] as? Date
    }
}

extension ImportFolder {
    /// Takes a file; nil if it no longer exists or another process has taken it.
    func take(_ id: String, of account: String, for model: String) -> ClaimedFile? {
        existing(id, account, model).flatMap { ClaimedFile($0) }
    }

    package func begin(
        _ job: ImportJob, of account: String, for model: String,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        let isBusy = jobs.read().map { $0.state == .running || $0.continuesByItself } ?? false
        guard existing(job.file, account, model) != nil || isBusy else { throw .gone }
        let lock = try lock(jobs)
        let last = jobs.read()
        // Its process has ended, since its lock is free, and a server is about to continue it.
        if let last, last.continuesByItself { throw .busy }
        guard let file = take(job.file, of: account, for: model) else { throw .gone }
        do {
            try jobs.write(job)
        } catch {
            file.release()
            throw .unwritable
        }
        if let last, last.file != job.file { Self.abandon(last, in: folder) }
        run(job, file, in: folder, lock, work)
    }

    package func resume(
        with id: String, of account: String, for model: String, byItself: Bool,
        _ work: @escaping @Sendable (ImportJob, any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) async throws(ImportFileError) {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard byItself || waiting(id, account, model) != nil else {
            throw jobs.read()?.state == .running ? .busy : .gone
        }
        let lock = try lock(jobs)
        // While the lock is held here, no other process continues the job.
        guard var job = jobs.read(), job.file == id, job.state != .done else { throw .gone }
        guard let path = waiting(id, account, model), let file = ClaimedFile(leftAs: path) else {
            if byItself {
                job.failWithoutFile()
                try? jobs.write(job)  // if the disk is full, the next round tries again
            }
            throw .gone
        }
        job.resume(byItself: byItself)
        do {
            try jobs.write(job)
        } catch {
            file.leave()
            throw .unwritable
        }
        run(job, file, in: folder, lock) { [job] source, notes in await work(job, source, notes) }
    }

    package func isWaiting(_ id: String, of account: String, for model: String) async -> Bool {
        waiting(id, account, model) != nil
    }

    private func run(
        _ job: ImportJob, _ file: ClaimedFile, in folder: String, _ lock: JobLock,
        _ work: @escaping @Sendable (any ImportSource, any JobNotes<ImportJob>) async -> ImportJob
    ) {
        // The task is not detached, because error messages use the language of the request.
        Task {
            let reporter = JobReporter(job: job, file: JobFile(folder: folder))
            let ended = await work(file, reporter)
            // At once: when the end is known, the file has its new lifetime.
            if ended.state == .interrupted || ended.state == .failed { file.leave() }
            if !reporter.finish({ $0 = ended }) {
                // The end could not be written. The file remains, so that a server continues the job.
                file.leave()
            } else if ended.state == .failed, ended.hasStoredNothing {
                file.release()
                removeOldest(in: folder, but: job.file)
            }
            withExtendedLifetime((file, lock)) {}
        }
    }

    package func job(of account: String, for model: String) async -> ImportJob? {
        let folder = folder(account, model), jobs = JobFile<ImportJob>(folder: folder)
        guard var job = jobs.read() else { return nil }
        if job.state == .interrupted, job.continuesByItself {
            job.state = .running
            return job
        }
        // While the lock is held here, no process begins to import the file.
        if job.state == .interrupted, job.hasStoredNothing, let lock = try? jobs.lock() {
            if let last = jobs.read(), last.file == job.file, last.startedAt == job.startedAt {
                ClaimedFile.release(folder + "/" + job.file)
            }
            withExtendedLifetime(lock) {}
        }
        return job
    }

    package func interruptedJobs() async -> [ImportJob] {
        // If there is no folder yet, there are no jobs.
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return folders.filter { !$0.hasPrefix(CommandImportFolder.prefix) }.sorted().compactMap { folder in
            let job = JobFile<ImportJob>(folder: path + "/" + folder).read()
            return job?.state == .interrupted && job?.continuesByItself == true ? job : nil
        }
    }

    /// Returns the name of the file that an import in the folder reads, or will read when a server continues it.
    private func importing(in folder: String) -> String? {
        guard let job = JobFile<ImportJob>(folder: folder).read(), job.state == .running || job.continuesByItself
        else { return nil }
        return job.file + ClaimedFile.ending
    }

    /// Abandons a job whose lock the caller holds, so that it is no longer reported.
    ///
    /// Its file can be imported again only if none of it was stored.
    private static func abandon(_ job: ImportJob, in folder: String) {
        let path = folder + "/" + job.file
        if job.state != .done, job.hasStoredNothing { ClaimedFile.release(path) } else { ClaimedFile.remove(path) }
    }

    /// Removes a waiting file, unless it is being imported.
    func removeWaiting(_ id: String, of account: String, for model: String) {
        guard let path = waiting(id, account, model) else { return }
        let jobs = JobFile<ImportJob>(folder: folder(account, model))
        // If another process holds the lock, the file is being imported.
        guard let lock = try? jobs.lock() else { return }
        // A server is about to continue it.
        if let job = jobs.read(), job.file == id, job.continuesByItself { return }
        ClaimedFile.remove(path)
        withExtendedLifetime(lock) {}
    }

    /// Returns the path that the file had before it was taken; nil if it does not exist or has expired.
    private func waiting(_ id: String, _ account: String, _ model: String) -> String? {
        let folder = folder(account, model)
        if Self.isID(id), importing(in: folder) == id + ClaimedFile.ending {
            return access(folder + "/" + id + ClaimedFile.ending, F_OK) == 0 ? folder + "/" + id : nil
        }
        return existing(id, account, model, ending: ClaimedFile.ending)
    }

    private func lock(_ jobs: JobFile<ImportJob>) throws(ImportFileError) -> JobLock {
        do {
            if let lock = try jobs.lock() { return lock }
        } catch {
            throw .unwritable
        }
        throw .busy
    }
}
