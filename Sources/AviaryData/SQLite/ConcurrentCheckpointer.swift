import CSQLite
import Dispatch

/// A thread that copies the log of a store into its file, while another connection commits.
///
/// Each checkpoint has a connection of its own, because a restore gives the store another file. SQLite excludes two
/// checkpoints at once, so the writer waits before it begins its own.
final class ConcurrentCheckpointer: Sendable {
    private let queue = DispatchQueue(label: "aviary.checkpoint", qos: .userInitiated)

    /// Begins a checkpoint.
    ///
    /// - Parameters:
    ///   - path: The path of the store's file.
    ///   - completion: A function that is called on the thread of the checkpoint.
    func run(
        onFileAt path: String, _ completion: @escaping @Sendable (Result<CheckpointProgress, EngineError>) -> Void
    ) {
        queue.async { completion(Self.checkpoint(path)) }
    }

    /// Waits for the end of a checkpoint under way.
    func wait() {
        queue.sync {}
    }

    private static func checkpoint(_ path: String) -> Result<CheckpointProgress, EngineError> {
        Result { () throws(EngineError) in
            let connection = try SQLiteConnection(
                path: path, flags: SQLITE_OPEN_READWRITE, busyTimeoutInMilliseconds: 0)
            defer { connection.close() }
            guard sqlite3_db_readonly(connection.handle, "main") == 0 else {
                throw EngineError(sqliteCode: SQLITE_READONLY, operation: "open")
            }
            // The pages must be on the disk before the log begins again.
            try connection.run("PRAGMA synchronous = FULL")
            // SQLite opens the log with the first read.
            try connection.readFirst()
            let progress = try connection.checkpoint(SQLITE_CHECKPOINT_PASSIVE)
            // SQLite leaves the flush to the next checkpoint when a transaction was committed meanwhile.
            try connection.flushFile()
            return progress
        }
    }
}
