import CSQLite

/// Follows how many frames (pages) the write-ahead log holds, as SQLite reports it after each commit.
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

    /// Replaces SQLite's own checkpoints, which hide their errors. The counter must outlive the handle, or be removed.
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
