import Foundation

/// A fingerprint by which a file is recognized. Another file, or a changed one, has another fingerprint.
struct FileFingerprint: Sendable, Hashable, Codable {
    let size: Int64
    /// Nanoseconds of Unix time.
    let modified: Int64
    let inode: UInt64

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
