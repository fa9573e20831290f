import AviaryDomain

/// Whose words a file indexes in vain, and whose it does not index yet.
struct SearchChanges: Sendable {
    let added: [SearchColumn]
    let dropped: [SearchColumn]

    init(to tables: ModelTables, in connection: any Connection) throws {
        let existing = try SearchColumn.all(in: connection)
        let wanted = Set(
            tables.search.tables.flatMap { table in
                table.properties.map { SearchColumn(model: table.model.name, property: $0) }
            })
        added = wanted.subtracting(existing).sorted { $0.name < $1.name }
        dropped = existing.subtracting(wanted).sorted { $0.name < $1.name }
    }

    /// Old workers search in an index as long as they live: they looked once whether it is there.
    var kind: SchemaDifference.Kind {
        if !dropped.isEmpty { return .exclusive }
        return added.isEmpty ? .none : .additive
    }

    /// Returns the steps in words, without those that the migration steps include.
    func steps(explaining steps: [MigrationStep]) -> [String] {
        let changes = steps.flatMap(\.difference.changes)
        let told = Set(changes.map(\.subject) + changes.compactMap(\.formerSubject))
        func isTold(_ column: SearchColumn) -> Bool { told.contains(column.model) || told.contains(column.name) }
        return added.filter { !isTold($0) }.map { "index the words of \($0.name)" }
            + dropped.filter { !isTold($0) }.map { "drop the index over the words of \($0.name)" }
    }
}

extension SearchColumn {
    fileprivate var name: String { "\(model).\(property)" }
}

extension SchemaChange {
    fileprivate var formerSubject: String? {
        switch self {
        case .renamed(let model, let old, _): "\(model).\(old)"
        case .converted(let old, _): old
        default: nil
        }
    }
}
