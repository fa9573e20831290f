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
        /// As ``StoreClock`` says.
        case clock
        /// As ``OpenMark`` says.
        case open
        case schema
        /// The newest version of the migration plan with which the file was opened.
        case schemaVersion = "schema_version"
        /// The last commit before records were rewritten: the history tells of their values as they were then.
        case undoBarrier = "undo_barrier"
        /// As ``HistoryGaps`` says.
        case historyGaps = "history_gaps"
        /// As ``KeptSecrets`` says.
        case withheldSecrets = "withheld_secrets"
    }

    static func creation(_ dialect: any SQLDialect) -> [String] {
        let columns = [ColumnDefinition("key", .text, "PRIMARY KEY NOT NULL"), ColumnDefinition("value", .any)]
        return [dialect.createTable("aviary_meta", columns, .keyed)]
    }

    private static let replacement = Query { $0.replacement(into: "aviary_meta", ["key", "value"], key: "key") }

    static func value(_ key: Key, in connection: any Connection) throws -> FieldValue {
        try connection.firstRow("SELECT value FROM aviary_meta WHERE key = ?", [.text(key.rawValue)]) { $0.value(0) }
            ?? .null
    }

    static func set(_ key: Key, to value: FieldValue, in connection: any Connection) throws(EngineError) {
        try connection.run(replacement, [.text(key.rawValue), value])
    }
}
