import AviaryDomain

/// Notes which records change.
struct SearchTrigger: Sendable {
    let name: String
    let creation: String

    init(_ event: String, of table: SearchTable) {
        let dialect = table.dialect
        let kind = event.prefix { $0 != " " }
        name = SearchTable.tableName(of: table.model.name) + "." + kind.lowercased()
        let row = kind == "DELETE" ? "OLD" : "NEW"
        creation = dialect.createTrigger(
            dialect.name(name), after: event, on: dialect.name(table.model.name),
            "INSERT INTO \(SearchNotes.table) (model, id) VALUES (\(dialect.literal(.text(table.model.name))), \(row).id)"
        )
    }
}
