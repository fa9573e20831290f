import AviaryDomain

/// `aviary_meta`: what the store knows of itself, a row each.
enum MetaTable {
    enum Key: String {
        case commit
        /// The number that the next entry of the history gets.
        case nextChange = "next_change"
        /// What the history takes, in bytes.
        case historySize = "history_size"
        case restoreEpoch = "restore_epoch"
        /// As ``OpenMark`` says.
        case open
        case schema
    }

    static let creation = "CREATE TABLE aviary_meta (key TEXT PRIMARY KEY NOT NULL, value ANY) STRICT, WITHOUT ROWID"

    private static let replacement = Query("INSERT OR REPLACE INTO aviary_meta (key, value) VALUES (?, ?)")

    static func value(_ key: Key, in connection: Connection) throws -> FieldValue {
        try connection.firstRow("SELECT value FROM aviary_meta WHERE key = ?", [.text(key.rawValue)]) { $0.value(0) } ?? .null
    }

    static func set(_ key: Key, to value: FieldValue, in connection: Connection) throws(SQLiteError) {
        try connection.run(replacement, [.text(key.rawValue), value])
    }
}
