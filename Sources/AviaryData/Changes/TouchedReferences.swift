import AviaryDomain

/// A column with ids of records, for the checks of an engine that does not check references itself.
struct StoredReference: Sendable {
    /// The model, or the table of a relation.
    let model: String
    /// The property; nil for a link.
    let property: String?
    /// The quoted names of the stored table, of the column and of the stored table of the target.
    let table: String
    let column: String
    let targetModel: String
    let target: String

    var isOfLink: Bool { property == nil }
}

extension Connection {
    /// Returns the first dangling reference in the columns.
    func missingReference(among references: [StoredReference]) throws -> MissingReference? {
        for reference in references {
            let number = reference.isOfLink ? "0" : dialect.rowNumber
            let row = try firstRow(
                "SELECT \(number) FROM \(reference.table) AS holder WHERE holder.\(reference.column) IS NOT NULL "
                    + "AND NOT EXISTS (SELECT 1 FROM \(reference.target) AS target "
                    + "WHERE target.id = holder.\(reference.column)) LIMIT 1"
            ) { Int($0.integer(0)) }
            if let row { return MissingReference(model: reference.model, property: reference.property, row: row) }
        }
        return nil
    }
}

extension ModelTables {
    /// All columns with ids of records.
    var storedReferences: [StoredReference] {
        let references = all.flatMap { table in
            table.references.compactMap { reference in
                self[reference.target].map {
                    StoredReference(
                        model: table.model.name, property: reference.property, table: table.stored,
                        column: reference.column, targetModel: reference.target, target: $0.stored)
                }
            }
        }
        let links = links.flatMap { link in
            [("source", link.relation.source.model), ("target", link.relation.target.model)].compactMap {
                column, model in
                self[model].map {
                    StoredReference(
                        model: link.tableName, property: nil, table: link.stored, column: column, targetModel: model,
                        target: $0.stored)
                }
            }
        }
        return references + links
    }
}

/// The ids that a change set refers to, or whose records it has removed, for an engine that does not count dangling
/// references itself.
struct TouchedReferences {
    /// The end of a look-up that is made by an index for each id. Without it, a plan from the time when a table was small reads
    /// the whole table.
    private static let byIndex = "LIMIT 1"

    private var ids: [String: Set<String>] = [:]

    var isEmpty: Bool { ids.isEmpty }

    /// Notes the id of a record that may not exist.
    mutating func touch(_ id: String, of model: String) {
        ids[model, default: []].insert(id)
    }

    /// Creates the references of some work.
    init(of steps: some Sequence<PreparedChange>, in tables: ModelTables) {
        for step in steps {
            for (model, id) in tables.references(of: step) { touch(id, of: model) }
        }
    }

    init() {}

    /// Notes the records that values of a table refer to.
    ///
    /// - Parameter changed: The indexes of the values that a change has set; nil for all.
    mutating func touch(_ values: [FieldValue], of table: ModelTable, changed: [Int]? = nil) {
        for reference in table.references where reference.index < values.count {
            guard changed?.contains(reference.index) != false else { continue }
            if case .text(let id) = values[reference.index] { touch(id, of: reference.target) }
        }
    }

    mutating func touch(_ link: LinkRow, of table: LinkTable) {
        touch(link.source, of: table.relation.source.model)
        touch(link.target, of: table.relation.target.model)
    }

    /// Removes ids whose records are known to exist.
    mutating func remove(_ known: TouchedReferences) {
        for (model, existing) in known.ids {
            guard let rest = ids[model]?.subtracting(existing) else { continue }
            ids[model] = rest.isEmpty ? nil : rest
        }
    }

    /// Returns those of the ids whose records exist, in one round trip for each model.
    func existing(in tables: ModelTables, _ connection: any Connection) throws(EngineError) -> TouchedReferences {
        var found = TouchedReferences()
        let dialect = connection.dialect
        for (model, touched) in ids {
            guard let table = tables[model], let list = dialect.value(ofList: touched.sorted().map(FieldValue.text))
            else { continue }
            let statement = try connection.statement(
                """
                SELECT list.value FROM \(dialect.textList) \
                WHERE (SELECT 1 FROM \(table.name) AS target WHERE target.id = list.value \(Self.byIndex)) IS NOT NULL
                """)
            defer { statement.reset() }
            try statement.bind([list])
            while try statement.step() {
                if let id = statement.text(0) { found.touch(id, of: model) }
            }
        }
        return found
    }

    /// Indicates whether a stored reference to one of the ids has no record.
    func areDangling(in tables: ModelTables, _ connection: any Connection) throws -> Bool {
        guard !ids.isEmpty else { return false }
        let dialect = connection.dialect
        var queries: [String] = [], values: [FieldValue] = []
        for reference in tables.storedReferences {
            guard let touched = ids[reference.targetModel],
                let list = dialect.value(ofList: touched.sorted().map(FieldValue.text))
            else { continue }
            queries.append(
                """
                EXISTS (SELECT 1 FROM \(dialect.textList) WHERE \
                (SELECT 1 FROM \(reference.target) AS target WHERE target.id = list.value \(Self.byIndex)) IS NULL AND \
                (SELECT 1 FROM \(reference.table) AS holder WHERE holder.\(reference.column) = list.value \(Self.byIndex)) \
                IS NOT NULL)
                """)
            values.append(list)
        }
        guard !queries.isEmpty else { return false }
        return try connection.firstRow("SELECT 1 WHERE \(queries.joined(separator: " OR "))", values) { _ in true }
            ?? false
    }
}
