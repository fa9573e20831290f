import AviaryDomain
import Foundation
import Synchronization

/// A file that gets its name when it is complete and on disk, and never takes the place of another.
final class NewFile {
    private static let temporaryEnding = ".partial"
    /// Seconds, more than lie between making a file and locking it.
    private static let leastAge = 2

    let path: String
    let sink: FileSink
    private let temporaryPath: String

    /// - Throws: ``FileError`` when there is a file of that name, or it cannot be made.
    init(_ path: String) throws(FileError) {
        guard access(path, F_OK) != 0 else { throw .exists(path) }
        self.path = path
        temporaryPath = path + "." + UUID().canonicalText.prefix(8) + Self.temporaryEnding
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        // As long as somebody writes it; where there are no locks nobody removes it.
        flock(descriptor, LOCK_SH | LOCK_NB)
        sink = FileSink(descriptor: descriptor, path: path)
    }

    deinit {
        close(sink.descriptor)
        // There is none any more when it was published.
        unlink(temporaryPath)
    }

    /// Removes what killed processes left in the directory.
    static func removeAbandoned(in directory: String) {
        // writing there tells why
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else { return }
        for name in names where name.hasSuffix(temporaryEnding) {
            let path = directory + "/" + name
            var status = stat()
            // It may have been made just now, and not be locked yet.
            guard lstat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > leastAge else { continue }
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
            close(descriptor)
        }
    }

    /// Gives the file its name once its bytes are on disk.
    func publish() throws(FileError) {
        try Self.publish(sink.descriptor, at: temporaryPath, as: path)
    }

    /// Gives a finished file, which somebody else wrote, its name once its bytes are on disk.
    static func publish(_ temporaryPath: String, as path: String) throws(FileError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(temporaryPath) }
        defer { close(descriptor) }
        try publish(descriptor, at: temporaryPath, as: path)
    }

    /// Gives a file that has a name another one beside it. It goes on under the first.
    static func giveSecondName(_ second: String, to path: String) throws(FileError) {
        guard link(path, second) == 0 else { throw .unwritable(second) }
        try flushDirectory(of: second)
    }

    /// Lets a finished file take the name of another once its bytes are on disk: a crash leaves the one or the other.
    static func replace(_ path: String, by temporaryPath: String) throws(FileError) {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(temporaryPath) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, rename(temporaryPath, path) == 0 else { throw .unwritable(path) }
        try flushDirectory(of: path)
    }

    private static func publish(_ descriptor: Int32, at temporaryPath: String, as path: String) throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .unwritable(path) }
        try giveName(path, to: temporaryPath)
        try flushDirectory(of: path)
    }

    private static func giveName(_ path: String, to temporaryPath: String) throws(FileError) {
        // A rename would silently replace a file that appeared in the meantime; a link does not.
        if link(temporaryPath, path) == 0 { return }
        guard errno != EEXIST, access(path, F_OK) != 0 else { throw .exists(path) }
        // Not every file system has links.
        guard rename(temporaryPath, path) == 0 else { throw .unwritable(path) }
    }

    /// The name itself is on disk only when its directory is.
    private static func flushDirectory(of path: String) throws(FileError) {
        let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unwritable(directory) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unwritable(directory) }
    }
}

/// A file that arrives from elsewhere, under no name that anybody would take for a snapshot. It goes with its user, and
/// what a killed process left is removed by the next one.
final class ReceivedFile: Sendable {
    /// Written at a time: each write has a thread of its own.
    private static let partSize = 1 << 20

    let path: String
    private let working: WorkingDirectory
    private let sink: FileSink
    private let waiting = Mutex<[UInt8]>([])

    /// - Throws: ``FileError``.
    init(in folder: String) throws(FileError) {
        working = try WorkingDirectory(in: folder)
        path = working.path + "/received"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        sink = FileSink(descriptor: descriptor, path: folder)
    }

    deinit { close(sink.descriptor) }

    /// - Throws: ``FileError``.
    func write(_ bytes: [UInt8]) async throws {
        let isDue = waiting.withLock { waiting in
            waiting += bytes
            return waiting.count >= Self.partSize
        }
        if isDue { try await flush() }
    }

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

/// An open file that is written to from its beginning.
struct FileSink {
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

    /// Tells the system that nobody will read what was written until now, so that it writes it at once and its room in
    /// memory is free for others: a flush at the end that has all to write keeps the store's own flushes waiting behind
    /// it.
    func letGo() {
        #if os(Linux)
            // It is a wish: a pipe has nothing to write, and what cannot be written is told by the flush at the end.
            posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
        #endif
    }
}
