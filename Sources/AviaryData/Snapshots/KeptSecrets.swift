import AviaryDomain

/// The secrets of the store that a snapshot is to replace. A snapshot without secrets leaves those of the records that it
/// has too; others have none afterwards.
struct KeptSecrets {
    private let connection: any ReaderConnection
    private let queries: [String: (query: Query, columns: [Int])]

    /// Nil when the directory has no store.
    init?(of directory: DataDirectory, tables: ModelTables, engine: any StoreEngine) throws {
        guard directory.hasStore else { return nil }
        connection = try engine.openReader(directory)
        let existing = Set(try connection.tableNames())
        var queries: [String: (query: Query, columns: [Int])] = [:]
        for table in tables.all where existing.contains(table.model.name) {
            // The file may be older than the models.
            let names = Set(try connection.columnNames(ofTable: table.model.name))
            let secrets = table.model.storedProperties.enumerated().filter { $1.isSecret && names.contains($1.name) }
            guard !secrets.isEmpty else { continue }
            let selection = secrets.map { table.columns[$0.offset] }.joined(separator: ", ")
            queries[table.model.name] = (Query("SELECT \(selection) FROM \(table.name) WHERE id = ?"), secrets.map(\.offset))
        }
        self.queries = queries
    }

    func close() { connection.close() }

    /// The record with what it has in the store, where the snapshot leaves it out.
    func completed(_ record: SnapshotRecord) throws -> SnapshotRecord {
        guard !record.withheld.isEmpty, let (query, columns) = queries[record.table.model.name] else { return record }
        let stored = try connection.firstRow(query, [.text(record.id)]) { row in columns.indices.map { row.value($0) } }
        guard let stored else { return record }
        var values = record.values
        for (column, value) in zip(columns, stored) where record.withheld.contains(column) && values.indices.contains(column) {
            values[column] = value
        }
        return SnapshotRecord(table: record.table, id: record.id, version: record.version, values: values)
    }
}
