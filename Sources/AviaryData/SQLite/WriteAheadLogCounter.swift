import CSQLite
import Foundation

/// A counter of the frames (pages) of the write-ahead log, which SQLite reports after each commit.
final class WriteAheadLogCounter {
    private let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    init() {
        frames.initialize(to: 0)
    }

    deinit {
        frames.deallocate()
    }

    var current: Int { Int(frames.pointee) }

    func reset() { frames.pointee = 0 }

    /// Installs the counter's hook, which replaces SQLite's automatic checkpoints, because these hide their errors.
    ///
    /// The counter must outlive the handle, or be removed.
    func follow(_ handle: OpaquePointer?) {
        sqlite3_wal_hook(
            handle,
            { context, _, _, count in
                context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, frames)
    }

    static func remove(from handle: OpaquePointer?) {
        if let handle { sqlite3_wal_hook(handle, nil, nil) }
    }
}

/// The write-ahead log that a failed flush left behind.
enum UnflushedLog {
    private static let pieceLength = 1 << 20

    /// Writes the log again, byte for byte in place, and flushes it. This must happen before the next commit.
    ///
    /// After a failed flush the kernel may treat pages as written that the disk never received. SQLite reads them
    /// from the kernel's memory, appends to them, and flushes only the new pages. A power loss would then lose
    /// everything from the gap on, including commits acknowledged since.
    ///
    /// A separate descriptor of the log is safe: SQLite's locks, which closing it would drop, are on the other
    /// files.
    static func write(againAt path: String) throws(FileError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return }
            throw .unreadable(path)
        }
        defer { close(descriptor) }
        var piece = [UInt8](repeating: 0, count: pieceLength)
        var position: off_t = 0
        while true {
            let count = piece.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, position) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path) }
            if count == 0 { break }
            try write(piece[..<count], at: position, to: descriptor, path)
            position += off_t(count)
        }
        guard position == 0 || fdatasync(descriptor) == 0 else { throw .unwritable(path) }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, at position: off_t, to descriptor: Int32, _ path: String
    ) throws(FileError) {
        var rest = bytes
        var position = position
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, position) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .unwritable(path) }
            rest = rest.dropFirst(count)
            position += off_t(count)
        }
    }
}
