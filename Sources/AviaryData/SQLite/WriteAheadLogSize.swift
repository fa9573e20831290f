import CSQLite

/// Follows how many frames (pages) the write-ahead log holds, as SQLite reports it after each commit.
final class WriteAheadLogSize {
    private let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private let connection: Connection

    /// Replaces SQLite's own checkpoints, which hide their errors, for this connection.
    init(of connection: Connection) {
        self.connection = connection
        frames.initialize(to: 0)
        sqlite3_wal_hook(connection.handle, { context, _, _, count in
            context?.assumingMemoryBound(to: Int32.self).pointee = count
            return SQLITE_OK
        }, frames)
    }

    deinit {
        // The connection may outlive this object; its hook must not.
        if connection.handle != nil { sqlite3_wal_hook(connection.handle, nil, nil) }
        frames.deallocate()
    }

    var current: Int { Int(frames.pointee) }

    func reset() { frames.pointee = 0 }
}
