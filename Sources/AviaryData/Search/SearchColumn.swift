import AviaryDomain

/// A property whose words are indexed.
struct SearchColumn: Sendable, Hashable {
    let model: String
    let property: String

    /// Returns the search columns of the file.
    static func all(in connection: any Connection) throws -> Set<SearchColumn> {
        var columns: Set<SearchColumn> = []
        for table in try connection.tableNames() where SearchIndexes.isSearchTable(table) {
            let model = String(table.dropFirst(SearchTable.namePrefix.count))
            for property in try connection.columnNames(ofTable: table).dropFirst(2) {
                columns.insert(SearchColumn(model: model, property: property))
            }
        }
        return columns
    }
}
