package import AviaryDomain

/// What it takes to let a store's file fit a program's models: found by reading only, and done in one transaction.
package struct Migration: Sendable {
    let difference: SchemaDifference
    let layout: StoreLayout
    let addedSortIndexes: [SortIndex]
    let droppedSortIndexes: [SortIndex]
    /// For sentences: what the records that are there stand against.
    private let obstacles: [String]

    package var kind: SchemaDifference.Kind {
        if !obstacles.isEmpty { return .refused }
        let hasIndexes = !addedSortIndexes.isEmpty || !droppedSortIndexes.isEmpty
        return max(difference.kind, hasIndexes ? .additive : .none)
    }

    package var steps: [String] {
        difference.steps + addedSortIndexes.map { "add an index that sorts \($0.model) by \($0.property)" }
            + droppedSortIndexes.map { "drop the index that sorted \($0.model) by \($0.property)" }
    }

    /// Sentences; empty when it can be done.
    package var refusals: [String] { difference.refusals + obstacles }

    /// Looks at the file, and at its records where these may stand against it.
    ///
    /// - Throws: ``StoreOpenError``, ``EngineError``.
    init(to layout: StoreLayout, in connection: any Connection) throws {
        let file = try StoreLayout.summary(in: connection)
        try Self.checkColumns(of: file, in: connection)
        try self.init(file, to: layout, in: connection)
    }

    init(_ file: SchemaSummary, to layout: StoreLayout, in connection: any Connection) throws {
        difference = SchemaDifference(from: file, to: layout.tables.schema)
        self.layout = layout
        let existing = try SortIndex.all(in: connection)
        addedSortIndexes = layout.sortIndexes.subtracting(existing).sorted { $0.name < $1.name }
        droppedSortIndexes = existing.subtracting(layout.sortIndexes).sorted { $0.name < $1.name }
        obstacles = try difference.changes.compactMap { try Self.obstacle(to: $0, layout.tables, connection) }
        for index in addedSortIndexes {
            guard layout.tables[index.model]?.model.property(index.property)?.isSortable == true else {
                throw StoreOpenError.unknownSortIndex(index)
            }
        }
    }

    /// A file that another program changed must not be taken for what it says.
    private static func checkColumns(of file: SchemaSummary, in connection: any Connection) throws {
        for (model, properties) in file.models.sorted(by: { $0.key < $1.key }) {
            let columns = Set(try connection.columnNames(ofTable: model))
            for property in properties where !columns.contains(property.name) {
                throw StoreOpenError.missingColumn(model: model, property: property.name)
            }
        }
    }

    private static func obstacle(
        to change: SchemaChange, _ tables: ModelTables, _ connection: any Connection
    ) throws -> String? {
        switch change {
        case .becameUnique(let model, let property):
            guard let table = tables[model] else { return nil }
            let column = connection.dialect.name(property)
            let sql = "SELECT count(*) FROM (SELECT 1 FROM \(table.name) WHERE \(column) IS NOT NULL "
                + "GROUP BY \(column) HAVING count(*) > 1) AS repeated"
            let count = try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
            guard count > 0 else { return nil }
            return "\(model).\(property) is to be unique, and \(count == 1 ? "one value is" : "\(count) values are") there more "
                + "than once. Change the records with the program that wrote the file, then try again."
        case .newProperty(let model, let property, .repeated):
            guard try TotalTable.count(model, in: connection) > 1 else { return nil }
            return "\(model).\(property.name) is new and to be unique, and its default would be the same in all records that "
                + "are there. Make it optional, without a default."
        default: return nil
        }
    }
}

extension SchemaSummary {
    static var empty: SchemaSummary { SchemaSummary(lines: []) }
}
