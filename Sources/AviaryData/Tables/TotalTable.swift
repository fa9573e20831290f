import AviaryDomain

/// `aviary_total`: how many records each model has, so that no page counts them.
enum TotalTable {
    static let creation = """
        CREATE TABLE aviary_total (model TEXT PRIMARY KEY NOT NULL, records INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """

    /// Adds a model without records.
    static func add(_ model: String, in connection: Connection) throws(SQLiteError) {
        try connection.run("INSERT INTO aviary_total (model, records) VALUES (?, 0)", .text(model))
    }

    static func models(in connection: Connection) throws -> Set<String> {
        Set(try connection.rows("SELECT model FROM aviary_total") { $0.text(0) ?? "" })
    }

    static func count(_ model: String, in connection: Connection) throws -> Int {
        let sql = "SELECT records FROM aviary_total WHERE model = ?"
        return try connection.firstRow(sql, [.text(model)]) { Int($0.integer(0)) } ?? 0
    }

    private static let addition = Query("UPDATE aviary_total SET records = records + ? WHERE model = ?")

    static func add(_ change: Int, to model: String, in connection: Connection) throws(SQLiteError) {
        try connection.run(addition, [.integer(Int64(change)), .text(model)])
    }
}
