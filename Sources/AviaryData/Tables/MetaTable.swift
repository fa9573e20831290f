import AviaryDomain

/// `aviary_meta`: what the store knows of itself, a row each.
enum MetaTable {
    enum Key: String {
        case commit
        case restoreEpoch = "restore_epoch"
        case schema
    }

    static let creation = "CREATE TABLE aviary_meta (key TEXT PRIMARY KEY NOT NULL, value ANY) STRICT, WITHOUT ROWID"

    static func value(_ key: Key, in connection: Connection) throws -> FieldValue {
        try connection.firstRow("SELECT value FROM aviary_meta WHERE key = ?", [.text(key.rawValue)]) { $0.value(0) } ?? .null
    }

    static func set(_ key: Key, to value: FieldValue, in connection: Connection) throws(SQLiteError) {
        try connection.run("INSERT OR REPLACE INTO aviary_meta (key, value) VALUES (?, ?)", .text(key.rawValue), value)
    }
}
