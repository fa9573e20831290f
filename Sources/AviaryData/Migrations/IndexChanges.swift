import AviaryDomain

/// The indexes to create in a file and those to drop.
struct IndexChanges: Sendable {
    let added: [TableIndex]
    /// The names of the indexes to drop.
    let dropped: [String]
    let addedSortIndexes: [SortIndex]
    let droppedSortIndexes: [SortIndex]

    init(to layout: StoreLayout, in connection: any Connection) throws {
        let existing = Dictionary(
            try connection.indexes().map { ($0.name, $0.creation) }, uniquingKeysWith: { first, _ in first })
        let wanted = layout.tables.all.flatMap(\.indexes)
        let names = Set(wanted.filter { existing[$0.name] == $0.creation }.map(\.name))
        added = wanted.filter { !names.contains($0.name) }
        dropped = existing.keys.filter { TableIndex.isName($0) && !names.contains($0) }.sorted()
        let sorted = Set(existing.keys.compactMap(SortIndex.init(name:)))
        // An index of a property whose type has changed may have another order.
        let kept = layout.sortIndexes.filter { existing[$0.name] == layout.creation(of: $0) }
        addedSortIndexes = layout.sortIndexes.subtracting(kept).sorted { $0.name < $1.name }
        droppedSortIndexes = sorted.subtracting(kept).sorted { $0.name < $1.name }
    }

    /// Returns the kind of change.
    ///
    /// A new unique constraint excludes older workers, which do not know it, unless it concerns only data that they
    /// do not write.
    func kind(after steps: [MigrationStep]) -> SchemaDifference.Kind {
        let changes = steps.flatMap(\.difference.changes)
        let newModels = Set(changes.compactMap { if case .newModel(let model) = $0 { model } else { nil } })
        let empty = Set(
            changes.compactMap { change in
                if case .newProperty(let model, let property, _) = change, property.defaultValue.isNull {
                    "\(model).\(property.name)"
                } else {
                    nil
                }
            })
        func isNew(_ index: TableIndex) -> Bool {
            newModels.contains(index.model) || index.properties.contains { empty.contains("\(index.model).\($0)") }
        }
        if added.contains(where: { $0.isUnique && !isNew($0) }) { return .exclusive }
        let isEmpty = added.isEmpty && dropped.isEmpty && addedSortIndexes.isEmpty && droppedSortIndexes.isEmpty
        return isEmpty ? .none : .additive
    }

    /// Returns the steps in words, without those that the migration steps include.
    func steps(explaining steps: [MigrationStep]) -> [String] {
        let reported = Set(steps.flatMap(\.difference.changes).map(\.subject))
        let names = Set(dropped)
        func isReported(_ index: TableIndex) -> Bool {
            reported.contains(index.model) || index.properties.contains { reported.contains("\(index.model).\($0)") }
                || names.contains(index.name)
        }
        return added.filter { !isReported($0) }.map { index in
            let properties = TextFormatter.list(index.properties)
            return index.isUnique
                ? "let no two records have the same \(properties) of \(index.model)"
                : "add an index that finds \(index.model) by \(properties)"
        } + addedSortIndexes.map { "add an index that sorts \($0.model) by \($0.property)" }
            + droppedSortIndexes.map { "drop the index that sorted \($0.model) by \($0.property)" }
    }
}

extension StoreLayout {
    /// Returns the statement that creates the index; nil if the property is not sortable.
    func creation(of index: SortIndex) -> String? {
        guard let table = tables[index.model], let property = table.model.property(index.property), property.isSortable
        else { return nil }
        return table.createSortIndex(property, named: index.name)
    }
}

/// The text indexes to create in a file and those to drop.
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

    /// The kind of change. Dropping an index excludes older workers, which looked it up once and use it as long as
    /// they run.
    var kind: SchemaDifference.Kind {
        if !dropped.isEmpty { return .exclusive }
        return added.isEmpty ? .none : .additive
    }

    /// Returns the steps in words, without those that the migration steps include.
    func steps(explaining steps: [MigrationStep]) -> [String] {
        let changes = steps.flatMap(\.difference.changes)
        let reported = Set(changes.map(\.subject) + changes.compactMap(\.formerSubject))
        func isReported(_ column: SearchColumn) -> Bool {
            reported.contains(column.model) || reported.contains(column.name)
        }
        return added.filter { !isReported($0) }.map { "index the words of \($0.name)" }
            + dropped.filter { !isReported($0) }.map { "drop the index over the words of \($0.name)" }
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
