import AviaryDomain

/// `aviary_total`: how many records each model has, so that no page counts them.
enum TotalTable {
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

    private static let addition = Query("UPDATE aviary_total SET records = records + ? WHERE model = ?")

    static func add(_ change: Int, to model: String, in connection: any Connection) throws(EngineError) {
        try connection.run(addition, [.integer(Int64(change)), .text(model)])
    }
}
