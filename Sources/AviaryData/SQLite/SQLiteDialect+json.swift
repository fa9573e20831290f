import AviaryDomain

extension SQLiteDialect {
    func part(of json: String, under path: String) -> String { "json_extract(\(json), \(path))" }

    /// No key has a quotation mark, for which SQLite has no way to write it.
    func path(_ keys: [String]) -> FieldValue { .text("$" + keys.map { ".\"\($0)\"" }.joined()) }

    func elementCount(_ json: String) -> String { "json_array_length(\(json))" }

    func elements(of json: String, include value: String) -> String {
        // The value stands outside: a column may be called as one of those that `json_each` has.
        "coalesce(\(value) IN (SELECT value FROM json_each(\(json))), 0)"
    }
}
