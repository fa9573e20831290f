import AviaryDomain
import CSQLite
import Foundation

extension SQLiteConnection: WriterConnection, StoreFile {
    var file: (any StoreFile)? { self }
    /// Nil: a file has only one writer, so no other host shares it.
    var database: (any SharedDatabase)? { nil }

    var logPages: Int { logCounter.current }

    func disableAutoCheckpoint() {
        logCounter.follow(handle)
    }

    func checkpoint() throws(EngineError) -> CheckpointProgress {
        checkpointer.wait()
        return try checkpoint(SQLITE_CHECKPOINT_PASSIVE)
    }

    func checkpointConcurrently(_ completion: @escaping @Sendable (Result<CheckpointProgress, EngineError>) -> Void) {
        checkpointer.run(onFileAt: path, completion)
    }

    @discardableResult
    func truncateLog() throws(EngineError) -> CheckpointProgress {
        checkpointer.wait()
        // With the usual timeout a long read would stall every write.
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, SQLiteEngine.writerTimeoutInMilliseconds) }
        let progress = try checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
        logCounter.reset()
        return progress
    }

    func checkpoint(_ mode: Int32) throws(EngineError) -> CheckpointProgress {
        var logFrames: Int32 = 0
        var copiedFrames: Int32 = 0
        let status = sqlite3_wal_checkpoint_v2(handle, "main", mode, &logFrames, &copiedFrames)
        guard status == SQLITE_OK else {
            let code = handle.map { sqlite3_extended_errcode($0) } ?? status
            throw EngineError(sqliteCode: code, operation: Store.checkpointing)
        }
        return CheckpointProgress(logPages: Int(logFrames), copiedPages: Int(copiedFrames))
    }
}

extension SQLiteConnection {
    /// The maximum number of index entries that ``analyze(_:)`` reads, which takes a few milliseconds for a table
    /// of any size.
    private static let analysisLimit = 400

    func limitAnalyses() throws {
        try set("analysis_limit", to: String(Self.analysisLimit))
    }

    /// Returns the analyses that are due. SQLite before 3.46 always overlooks tables that this connection did not
    /// use.
    func dueAnalyses(all: Bool) throws -> [String] {
        // The bits mean: 2, analyse; 1, only report what would be done, so that each analysis can be a step of its
        // own; 0x10000, include all tables.
        try rows("PRAGMA optimize(\(all ? 0x10003 : 3))") { $0.text(0) ?? "" }.filter { $0.hasPrefix("ANALYZE ") }
    }

    func analyze(_ analysis: String) throws(EngineError) {
        try run(analysis)
    }

    func pageCounts() throws -> (all: Int, free: Int) {
        (Int(try pragma("page_count")) ?? 0, Int(try pragma("freelist_count")) ?? 0)
    }

    /// Moves pages at the end of the file into free pages.
    func incrementalVacuum(atMost count: Int) throws(EngineError) {
        try run("PRAGMA incremental_vacuum(\(count))")
    }
}

extension SQLiteConnection: StoreFileCheck {
    var fileCheck: (any StoreFileCheck)? { self }

    func quickCheck() throws -> [String] {
        try problems("PRAGMA quick_check")
    }

    func integrityCheck(ofTable table: String) throws -> [String] {
        try problems("PRAGMA integrity_check(\(dialect.name(table)))")
    }

    func referenceCheck(ofTable table: String) throws -> [String] {
        try rows("PRAGMA foreign_key_check(\(dialect.name(table)))") { row in
            "row \(row.integer(1)) of \(row.text(0) ?? table) refers to a \(row.text(2) ?? "record") that does not exist"
        }
    }

    private func problems(_ sql: String) throws -> [String] {
        // SQLite reports damaged pages in one text with many lines. A page that is never used wastes space but is
        // no damage: the rebuild of an index leaves the pages of its old B-tree behind.
        try rows(sql) { $0.text(0) ?? "" }.flatMap { $0.split(separator: "\n").map(String.init) }.filter { line in
            line != "ok" && !line.hasPrefix("*** in database") && !line.hasSuffix("is never used")
        }
    }
}

extension SQLiteConnection {
    /// Replaces the contents by letting the store's name lead to the file of the other store.
    ///
    /// Renaming the other file over this one would leave the old write-ahead log beside it, which SQLite would then
    /// replay. Copying its pages would take longer the larger it is.
    func replaceContents(byThoseOf source: any WriterConnection, keepingReplacedAt kept: String) throws {
        guard let source = source as? SQLiteConnection else {
            throw EngineError(sqliteCode: SQLITE_MISUSE, operation: "replace by another engine's store")
        }
        checkpointer.wait()
        let change = StoreFileChange(of: path, keepingReplacedAt: kept)
        let next: SQLiteConnection
        do {
            // A reader that opens the file first finds it with a log.
            try source.set("journal_mode", to: "WAL")
            source.close()
            try change.prepare(source.path)
            next = try SQLiteEngine.openToWrite(change.new)
        } catch {
            change.undo()
            throw error
        }
        do {
            try change.take()
        } catch {
            next.close()
            if error is FileError { change.undo() }
            throw error
        }
        takeOver(next)
        change.removeOldNames()
    }
}

// Unreadable pages of an index cannot be freed: dropping or rebuilding the index in the usual way would read them.
// Its B-tree therefore stays in the file, unused until the whole file is repaired, and the index gets a new, empty
// one.
extension SQLiteConnection {
    private static let helper = "aviary_repair"

    func rebuildIndexes(ofTable table: String) throws {
        let names = try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND rootpage > 0", [.text(table)]
        ) { $0.text(0) ?? "" }
        guard !names.isEmpty else { return }
        try writingSchema {
            for (number, name) in names.enumerated() {
                // The B-tree of an empty index of an empty table can be assigned to any other index.
                let empty = "\(Self.helper)_\(number)"
                try run("CREATE TABLE \(dialect.name(empty)) (value)")
                try run("CREATE INDEX \(dialect.name(empty + ".index")) ON \(dialect.name(empty)) (value)")
                try run(
                    "UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = ?) "
                        + "WHERE type = 'index' AND name = ?", .text(empty + ".index"), .text(name))
                try run("DELETE FROM sqlite_schema WHERE tbl_name = ?", .text(empty))
            }
        }
        for name in names { try run("REINDEX \(dialect.name(name))") }
    }

    func forgetTables(beginningWith prefix: String) throws {
        try writingSchema {
            // The condition also removes triggers that belong to another table.
            try run(
                "DELETE FROM sqlite_schema WHERE name = ?1 OR tbl_name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || '.' "
                    + "OR substr(tbl_name, 1, length(?1) + 1) = ?1 || '.'", .text(prefix))
        }
    }

    /// Enables or disables SQLite's defensive mode, which prevents SQL from changing SQLite's internal tables.
    func defend(_ isOn: Bool) {
        if let handle { aviary_defend(handle, isOn ? 1 : 0) }
    }

    /// Runs the body with a writable schema table.
    ///
    /// - Parameter body: A function that changes the schema table in the open transaction.
    private func writingSchema(_ body: () throws -> Void) throws {
        defend(false)
        defer { defend(true) }
        try run("PRAGMA writable_schema=ON")
        do {
            try body()
            // A new schema version makes all connections prepare their statements again.
            let version = Int(try pragma("schema_version")) ?? 0
            try run("PRAGMA schema_version=\(version + 1)")
            try run("PRAGMA writable_schema=RESET")
        } catch {
            _ = try? run("PRAGMA writable_schema=RESET")  // the body's error says more
            throw error
        }
    }
}

/// A counter of the frames (pages) of the write-ahead log, which SQLite reports after each commit.
final class WriteAheadLogCounter {
    private let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private var isFollowing = false

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
        isFollowing = true
        sqlite3_wal_hook(
            handle,
            { context, _, _, count in
                context?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, frames)
    }

    /// Follows another handle, which has a log of its own, if the counter followed one before.
    func followAgain(_ handle: OpaquePointer?) {
        reset()
        if isFollowing { follow(handle) }
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
    ///
    /// - Returns: The pages of the log.
    static func write(againAt path: String) throws(FileError) -> LoggedPages {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return LoggedPages() }
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
        return LoggedPages(ofLog: descriptor, length: Int(position))
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
