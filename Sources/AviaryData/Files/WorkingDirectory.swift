import AviaryDomain
import Foundation

/// A directory for files that are needed for a while. It goes with its user; what a killed process left is removed by
/// the next one that works in the same place.
final class WorkingDirectory: Sendable {
    private static let prefix = ".working-"
    private static let beginningPrefix = ".new-"

    let path: String
    /// Locked as long as the directory is in use.
    private let descriptor: Int32

    init(in parent: String) throws(FileError) {
        Self.removeAbandoned(in: parent)
        let name = UUID().canonicalText
        // Under another name until it is locked: nobody may take it for abandoned.
        let beginning = parent + "/" + Self.beginningPrefix + name
        path = parent + "/" + Self.prefix + name
        guard mkdir(beginning, 0o700) == 0 else { throw .unwritable(parent) }
        descriptor = open(beginning, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(beginning, path) == 0 else {
            let error = FileError.unwritable(parent)
            rmdir(beginning)
            // What was opened is closed with the object.
            throw error
        }
    }

    deinit {
        Self.remove(path)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes what killed processes left in the directory.
    static func removeAbandoned(in parent: String) {
        // creating in it tells why
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: parent) else { return }
        for name in names where name.hasPrefix(prefix) || name.hasPrefix(beginningPrefix) {
            let path = parent + "/" + name
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if name.hasPrefix(prefix) || isOld(descriptor), flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path) }
            close(descriptor)
        }
    }

    /// Returns a Boolean value that indicates whether a directory is more than a minute old.
    ///
    /// A new directory may not be locked yet, and its creator must find the lock free. A minute is more than this
    /// takes.
    private static func isOld(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && time(nil) - status.st_mtim.tv_sec > 60
    }

    /// Removes a file. What cannot be removed now, the next process tries to remove again.
    private static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
