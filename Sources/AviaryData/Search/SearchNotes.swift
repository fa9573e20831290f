import AviaryDomain

/// `aviary_search`: which records the open transaction has changed. Empty between transactions.
enum SearchNotes {
    static let table = "aviary_search"

    static func creation(_ dialect: any SQLDialect) -> String {
        dialect.createTable(
            table, [ColumnDefinition("model", .text, "NOT NULL"), ColumnDefinition("id", .text, "NOT NULL")], .numbered)
    }

    private static let models = Query("SELECT DISTINCT model FROM \(table)")
    private static let removal = Query("DELETE FROM \(table)")

    static func changedModels(in connection: any Connection) throws -> [String] {
        try connection.rows(models) { $0.text(0) ?? "" }
    }

    static func clear(in connection: any Connection) throws(EngineError) {
        try connection.run(removal)
    }
}
