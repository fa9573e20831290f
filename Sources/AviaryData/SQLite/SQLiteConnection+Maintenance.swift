import AviaryDomain
import CSQLite

// Pages of an index that cannot be read cannot be given back either: dropping or rebuilding the index in the usual way reads them.
// So its tree is left where it is, unused until the whole file is repaired, and the index begins anew with an empty one.
extension SQLiteConnection {
    private static let helper = "aviary_repair"

    func rebuildIndexes(ofTable table: String) throws {
        let names = try rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ? AND rootpage > 0", [.text(table)]
        ) { $0.text(0) ?? "" }
        guard !names.isEmpty else { return }
        try writingSchema {
            for (number, name) in names.enumerated() {
                // An empty index of an empty table has a tree that any other can take over.
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
            // Triggers too, whose table is another.
            try run(
                "DELETE FROM sqlite_schema WHERE name = ?1 OR tbl_name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || '.' "
                    + "OR substr(tbl_name, 1, length(?1) + 1) = ?1 || '.'", .text(prefix))
        }
    }

    /// Whether SQL may change what SQLite keeps for itself.
    func defend(_ isOn: Bool) {
        if let handle { aviary_defend(handle, isOn ? 1 : 0) }
    }

    /// - Parameter body: Changes the table of the schema, in the open transaction.
    private func writingSchema(_ body: () throws -> Void) throws {
        defend(false)
        defer { defend(true) }
        try run("PRAGMA writable_schema=ON")
        do {
            try body()
            // Whoever prepared a statement has to look at the schema again, here and elsewhere.
            let version = Int(try pragma("schema_version")) ?? 0
            try run("PRAGMA schema_version=\(version + 1)")
            try run("PRAGMA writable_schema=RESET")
        } catch {
            _ = try? run("PRAGMA writable_schema=RESET")  // the body's error says more
            throw error
        }
    }
}
