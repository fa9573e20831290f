import AviaryDomain
import Foundation

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
