import CSQLite
import Foundation

/// The file of a store, read with SQLite and without the product's code.
final class StoreFile {
    struct Unreadable: Error, CustomStringConvertible {
        let description: String
    }

    private var connection: OpaquePointer?
    private let copy: URL?

    /// Opens the file as readers see it while the store is open.
    init(live path: String) throws {
        copy = nil
        try open(path, SQLITE_OPEN_READONLY)
    }

    /// Opens a copy of the file as a store finds it after a crash, because reading must not repair the original.
    init(crashed path: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "aviary-faults-copy-\(UUID().uuidString)")
        copy = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.copyItem(atPath: path + suffix, toPath: folder.path + "/store.sqlite" + suffix)
        }
        try open(folder.path + "/store.sqlite", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    /// Opens the file as a store finds it after a power loss, and repairs the file.
    init(image path: String) throws {
        copy = nil
        try open(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    deinit {
        sqlite3_close(connection)
        if let copy { try? FileManager.default.removeItem(at: copy) }  // The system also removes leftovers.
    }

    private func open(_ path: String, _ flags: Int32) throws {
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else { throw failure("open \(path)") }
        sqlite3_busy_timeout(connection, 10_000)
    }

    /// Returns all columns as text, and null as an empty text.
    func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                    })
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    /// Returns the records by caller and identifier.
    func animals() throws -> [Int: [String: StoredAnimal]] {
        var animals: [Int: [String: StoredAnimal]] = [:]
        for row in try rows("SELECT id, name, aviary_version FROM Animal") {
            let caller = Int(row[1].split(separator: ".").dropFirst().first ?? "") ?? -1
            animals[caller, default: [:]][row[0]] = StoredAnimal(name: row[1], version: row[2])
        }
        return animals
    }

    func hasTable(_ name: String) throws -> Bool {
        try !rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'").isEmpty
    }

    /// Deletes the receipts of a closed store, as a planted bug.
    static func forgetReceipts(_ path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(path, &connection) == SQLITE_OK,
            sqlite3_exec(connection, "DELETE FROM aviary_commit", nil, nil, nil) == SQLITE_OK
        else { throw Unreadable(description: String(cString: sqlite3_errmsg(connection))) }
    }

    private func failure(_ what: String) -> Unreadable {
        Unreadable(description: "\(what): \(String(cString: sqlite3_errmsg(connection)))")
    }
}
