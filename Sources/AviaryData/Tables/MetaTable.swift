import AviaryDomain

/// The table `aviary_meta` of the store's own values, with a row for each.
enum MetaTable {
    enum Key: String {
        case commit
        /// The number of the next history entry.
        case nextChange = "next_change"
        /// The size of the history, in bytes.
        case historySize = "history_size"
        case restoreEpoch = "restore_epoch"
        /// The state of ``StoreClock``.
        case clock
        /// The mark of ``UncleanShutdownFlag``.
        case open
        case schema
        /// The lines of `Schema.embeddedLines`.
        case embeddedStructs = "embedded_structs"
        /// The newest version of the migration plan with which the file was opened.
        case schemaVersion = "schema_version"
        /// The last commit before records were rewritten. The history contains their values in the form that they
        /// had then.
        case undoBarrier = "undo_barrier"
        /// The gaps of ``HistoryGaps``.
        case historyGaps = "history_gaps"
        /// The ``LongChange`` under way.
        case longChange = "long_change"
        /// The ``RowMask`` in effect.
        case rowMask = "row_mask"
        /// The part of another store that a finished store contains already, see ``StoreReplacement/Brought``.
        case brought
        /// The names of ``PreservedSecrets``.
        case withheldSecrets = "withheld_secrets"
    }

    static func creation(_ dialect: any SQLDialect) -> [String] {
        let columns = [ColumnDefinition("key", .text, "PRIMARY KEY NOT NULL"), ColumnDefinition("value", .any)]
        return [dialect.createTable("aviary_meta", columns, .keyed)]
    }

    private static let replacement = Query { $0.replacement(into: "aviary_meta", ["key", "value"], key: "key") }

    static func value(_ key: Key, in connection: any Connection) throws -> FieldValue {
        try connection.firstRow("SELECT value FROM aviary_meta WHERE key = ?", [.text(key.rawValue)]) {
            connection.dialect.value(ofAny: $0.value(0))
        } ?? .null
    }

    /// Returns the text of a value; nil if there is none or it is no text.
    static func text(_ key: Key, in connection: any Connection) throws -> String? {
        if case .text(let text) = try value(key, in: connection) { text } else { nil }
    }

    static func set(_ key: Key, to value: FieldValue, in connection: any Connection) throws(EngineError) {
        try connection.run(replacement, [.text(key.rawValue), connection.dialect.any(value)])
    }
}

/// The position of the store, from which the next commit continues.
struct StorePosition: Sendable, Hashable {
    static let start = StorePosition(commit: 0, nextChange: 1, historySize: 0)

    /// The number of the last change set.
    var commit: Int64
    /// The number of the next history entry.
    var nextChange: Int64
    /// The size of the history, in bytes.
    var historySize: Int
}

extension StorePosition {
    /// The accepted numbers. They end far enough below the largest integer that the next numbers exist.
    private static let possible: ClosedRange<Int64> = 0...1 << 62

    /// Returns the position of the file; nil if the file does not contain it or a number is impossible.
    static func read(from connection: any Connection) throws -> StorePosition? {
        var values: [String: FieldValue] = [:]
        for key in [MetaTable.Key.commit, .nextChange, .historySize] {
            values[key.rawValue] = try MetaTable.value(key, in: connection)
        }
        return StorePosition(values)
    }

    /// Creates the position from the values of the store's table; nil if one is missing or impossible.
    init?(_ values: [String: FieldValue]) {
        guard case .integer(let commit) = values[MetaTable.Key.commit.rawValue],
            case .integer(let nextChange) = values[MetaTable.Key.nextChange.rawValue],
            case .integer(let historySize) = values[MetaTable.Key.historySize.rawValue],
            [commit, nextChange, historySize].allSatisfy(Self.possible.contains)
        else { return nil }
        self.init(commit: commit, nextChange: nextChange, historySize: Int(historySize))
    }

    func write(to connection: any Connection) throws(EngineError) {
        try MetaTable.set(.commit, to: .integer(commit), in: connection)
        try MetaTable.set(.nextChange, to: .integer(nextChange), in: connection)
        try MetaTable.set(.historySize, to: .integer(Int64(historySize)), in: connection)
    }
}

/// The table `aviary_total` of the number of records of each model, so that no page counts them.
enum RecordCountTable {
    static let name = "aviary_total"

    static func creation(_ dialect: any SQLDialect) -> [String] {
        let columns = [
            ColumnDefinition("model", .text, "PRIMARY KEY NOT NULL"), ColumnDefinition("records", .integer, "NOT NULL"),
        ]
        return [dialect.createTable("aviary_total", columns, .keyed)]
    }

    /// Adds a model without records.
    static func add(_ model: String, in connection: any Connection) throws(EngineError) {
        try connection.run("INSERT INTO aviary_total (model, records) VALUES (?, 0)", .text(model))
    }

    static func remove(_ model: String, in connection: any Connection) throws(EngineError) {
        try connection.run("DELETE FROM aviary_total WHERE model = ?", .text(model))
    }

    static func models(in connection: any Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT model FROM aviary_total") { $0.text(0) ?? "" })
    }

    static func count(_ model: String, in connection: any Connection) throws -> Int {
        let sql = "SELECT records FROM aviary_total WHERE model = ?"
        return try connection.firstRow(sql, [.text(model)]) { Int($0.integer(0)) } ?? 0
    }

    /// Returns the numbers of records, by the names of the models.
    static func counts(in connection: any Connection) throws -> [String: Int] {
        let rows = try connection.rows("SELECT model, records FROM aviary_total") {
            ($0.text(0) ?? "", Int($0.integer(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private static let addition = Query("UPDATE aviary_total SET records = records + ? WHERE model = ?")

    static func add(_ change: Int, to model: String, in connection: any Connection) throws(EngineError) {
        try connection.run(addition, [.integer(Int64(change)), .text(model)])
    }
}
