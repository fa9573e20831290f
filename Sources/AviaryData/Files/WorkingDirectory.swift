import AviaryDomain
import Foundation

/// A directory for temporary files.
///
/// It is removed with its object. The next process that works in the same place removes a directory that a killed
/// process left.
final class WorkingDirectory: Sendable {
    private static let prefix = ".working-"
    private static let beginningPrefix = ".new-"

    let path: String
    /// The descriptor that holds the lock while the directory is in use.
    private let descriptor: Int32

    init(in parent: String) throws(FileError) {
        Self.removeAbandoned(in: parent)
        let name = UUID().canonicalText
        // The directory has another name until it is locked, so that no process takes it for abandoned.
        let beginning = parent + "/" + Self.beginningPrefix + name
        path = parent + "/" + Self.prefix + name
        guard mkdir(beginning, 0o700) == 0 else { throw .unwritable(parent) }
        descriptor = open(beginning, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(beginning, path) == 0 else {
            let error = FileError.unwritable(parent)
            rmdir(beginning)
            // `deinit` closes the descriptor.
            throw error
        }
    }

    deinit {
        Self.remove(path)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes the directories that killed processes left in the parent directory.
    static func removeAbandoned(in parent: String) {
        // Creating a directory there reports the reason.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent) else { return }
        for name in names where name.hasPrefix(prefix) || name.hasPrefix(beginningPrefix) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if name.hasPrefix(prefix) || isOld(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    /// Indicates whether a directory is more than a minute old.
    ///
    /// A new directory may not be locked yet, and its creator must find the lock free. A minute is more than this
    /// takes.
    private static func isOld(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 60
    }

    /// Removes a directory. The next process retries if this fails.
    private static func remove(_ path: String) {
        // As above.
        try? FileManager.default.removeItem(atPath: path)
    }
}
