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
        guard fsync(sink.descriptor) == 0 else { throw .unwritable(path) }
        try giveName()
        try Self.flushDirectory(of: path)
    }

    private func giveName() throws(FileError) {
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
