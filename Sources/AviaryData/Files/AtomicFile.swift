import AviaryDomain
import Foundation
import Synchronization

/// A file that gets its name when it is complete and on disk, and never replaces another file.
final class AtomicFile {
    private static let temporaryEnding = ".partial"
    /// The minimum age of an abandoned file in seconds, more than the time between its creation and its lock.
    private static let leastAge = 2

    let path: String
    let sink: FileSink
    private let temporaryPath: String

    /// Creates a temporary file.
    ///
    /// - Throws: ``FileError`` if there is a file of that name, or the temporary file cannot be created.
    init(_ path: String) throws(FileError) {
        guard access(path, F_OK) != 0 else { throw .exists(path) }
        self.path = path
        temporaryPath = path + "." + UUID().canonicalText.prefix(8) + Self.temporaryEnding
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        // The lock is held while the file is written. On a file system without locks no process removes the file.
        flock(descriptor, LOCK_SH | LOCK_NB)
        sink = FileSink(descriptor: descriptor, path: path)
    }

    deinit {
        close(sink.descriptor)
        // A published file has lost this name.
        unlink(temporaryPath)
    }

    /// Removes the files that killed processes left in the directory.
    static func removeAbandoned(in directory: String) {
        // A write to the directory reports the reason.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.hasSuffix(temporaryEnding) {
            let path = directory + "/" + name
            var status = stat()
            // A file that was just created may not be locked yet.
            guard lstat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > leastAge else { continue }
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }

    /// Publishes the file under its name after its bytes are on disk.
    func publish() throws(FileError) {
        try Self.publish(sink.descriptor, at: temporaryPath, as: path)
    }

    /// Publishes a finished file, which another object wrote, under its name after its bytes are on disk.
    static func publish(_ temporaryPath: String, as path: String) throws(FileError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(temporaryPath) }
        defer { close(descriptor) }
        try publish(descriptor, at: temporaryPath, as: path)
    }

    /// Flushes a file if it exists.
    static func flush(_ path: String) throws(FileError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .unreadable(path)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(path) }
    }

    /// Gives a file a second name in addition to its first.
    static func addHardLink(_ second: String, to path: String) throws(FileError) {
        guard link(path, second) == 0 else { throw .unwritable(second) }
        try flushDirectory(of: second)
    }

    /// Replaces a file by a finished one after its bytes are on disk. After a crash, the name refers to one of the
    /// two.
    static func replace(_ path: String, by temporaryPath: String) throws(FileError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(temporaryPath) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw .unwritable(path) }
        try flushDirectory(of: path)
    }

    private static func publish(_ descriptor: Int32, at temporaryPath: String, as path: String) throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path) }
        try linkOrRename(path, to: temporaryPath)
        try flushDirectory(of: path)
    }

    private static func linkOrRename(_ path: String, to temporaryPath: String) throws(FileError) {
        // A rename would silently replace a file that appeared in the meantime; a link does not.
        if link(temporaryPath, path) == 0 { return }
        guard errno != EEXIST, access(path, F_OK) != 0 else { throw .exists(path) }
        // Some file systems have no links.
        guard rename(temporaryPath, path) == 0 else { throw .unwritable(path) }
    }

    /// Flushes a directory, without which the name of a file is not on disk.
    static func flushDirectory(of path: String) throws(FileError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(directory) }
    }
}

/// A file that is being received, under a name that is never taken for a snapshot.
///
/// It is removed with its object. The next process removes a file that a killed process left.
final class ReceivedFile: Sendable {
    /// The number of bytes that are written at once, because each write uses a thread of its own.
    private static let partSize = 1 << 20

    let path: String
    private let working: WorkingDirectory
    private let sink: FileSink
    private let waiting = Mutex<[UInt8]>([])

    /// Creates the file.
    ///
    /// - Throws: ``FileError``.
    init(in folder: String) throws(FileError) {
        working = try WorkingDirectory(in: folder)
        path = working.path + "/received"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        sink = FileSink(descriptor: descriptor, path: folder)
    }

    deinit { close(sink.descriptor) }

    /// Adds bytes.
    ///
    /// - Throws: ``FileError``.
    func write(_ bytes: [UInt8]) async throws {
        let isDue = waiting.withLock { waiting in
            waiting += bytes
            return waiting.count >= Self.partSize
        }
        if isDue { try await flush() }
    }

    /// Writes the bytes that are still in memory.
    ///
    /// - Throws: ``FileError``.
    func flush() async throws {
        let bytes = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !bytes.isEmpty else { return }
        try await BlockingWork.run { [sink] in try sink.write(bytes) }
    }
}

/// A destination of bytes that are written sequentially.
protocol ByteSink {
    /// Writes the next bytes.
    func write(_ bytes: [UInt8]) throws(FileError)
}

extension GzipWriter: ByteSink {}

/// An open file that is written sequentially.
struct FileSink: ByteSink {
    let descriptor: Int32
    let path: String

    func write(_ bytes: [UInt8]) throws(FileError) {
        var failure: FileError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileError) { try write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = Foundation.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 {
                if errno == EINTR { continue }
                throw .unwritable(path)
            }
            rest = rest.dropFirst(written)
        }
    }

    /// Tells the system that the bytes written so far will not be read again.
    ///
    /// The system then writes them at once and frees their memory. Otherwise one large flush at the end would delay
    /// the store's own flushes.
    func dropFromPageCache() {
        #if os(Linux)
            // The call is a hint: a pipe has nothing to flush, and the flush at the end reports write errors.
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }
}

/// A small file that is replaced atomically: a reader sees the old contents or the new.
struct JSONFile<Value: Codable & Sendable>: Sendable {
    let path: String

    /// Returns the value; nil if there is none or it cannot be read, because its loss is not worth a failure.
    func read() -> Value? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        // Another version may have written the file.
        return try? JSONDecoder().decode(Value.self, from: data)
    }

    /// Removes the file if it exists.
    func remove() {
        unlink(path)
    }

    /// Replaces the file.
    ///
    /// - Throws: ``FileError``.
    func write(_ value: Value) throws {
        let data = try JSONEncoder().encode(value)
        let temporary = path + "." + UUID().uuidString.prefix(8) + ".partial"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileError.unwritable(path) }
        defer { close(descriptor) }
        // The lock shows that the file is not abandoned, however long the disk takes.
        flock(descriptor, LOCK_SH | LOCK_NB)
        do {
            try FileSink(descriptor: descriptor, path: path).write([UInt8](data))
            guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw FileError.unwritable(path) }
        } catch {
            unlink(temporary)
            throw error
        }
    }
}

/// An error of a file that cannot be read or written, with advice.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package let path: String
    package let reason: String
    package let advice: String

    package var description: String { "\(path): \(reason) \(advice)" }
}

extension FileError: RedactedError {
    package var redacted: String { description }
}

extension FileError {
    /// Returns the error for a path that cannot be read, with the operating system's reason for the last failed call.
    static func unreadable(_ path: String) -> FileError {
        FileError(
            path: path, reason: "cannot be read: \(SystemError.current).",
            advice: "Check the name and that this user may read it."
        )
    }

    /// Returns the error for a path that cannot be written, with the operating system's reason for the last failed
    /// call.
    static func unwritable(_ path: String) -> FileError {
        let advice =
            errno == ENOSPC || errno == EDQUOT
            ? "Free some space, or choose another disk." : "Check the name and that this user may write there."
        return FileError(path: path, reason: "cannot be written: \(SystemError.current).", advice: advice)
    }

    static func exists(_ path: String) -> FileError {
        FileError(path: path, reason: "exists already.", advice: "Move it away, or choose another name.")
    }
}

/// The operating system's description of the last failed call.
enum SystemError {
    static var current: String { String(cString: strerror(errno)) }
}

/// A fingerprint that identifies a version of a file. Another file, or a changed one, has another fingerprint.
struct FileFingerprint: Sendable, Hashable, Codable {
    let size: Int64
    /// The time of the last modification, in nanoseconds of Unix time.
    let modified: Int64
    let inode: UInt64

    /// Reads the fingerprint of a file.
    ///
    /// - Throws: ``FileError``.
    init(_ path: String) throws(FileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .unreadable(path) }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    var writtenAt: Date { Date(timeIntervalSince1970: Double(modified) / 1e9) }
}
