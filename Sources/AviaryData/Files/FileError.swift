import AviaryDomain
import Foundation

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
