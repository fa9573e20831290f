import AviaryDomain
import Foundation

/// A file that gets its name when it is complete and on disk, and never takes the place of another.
final class NewFile {
    let path: String
    let sink: FileSink
    private let temporaryPath: String

    /// - Throws: ``FileError`` when there is a file of that name, or it cannot be made.
    init(_ path: String) throws(FileError) {
        guard access(path, F_OK) != 0 else { throw .exists(path) }
        self.path = path
        temporaryPath = path + "." + UUID().canonicalText.prefix(8) + ".partial"
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unwritable(path) }
        sink = FileSink(descriptor: descriptor, path: path)
    }

    deinit {
        close(sink.descriptor)
        // There is none any more when it was published.
        unlink(temporaryPath)
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
