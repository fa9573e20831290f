import AviaryDomain

/// The tables of all models.
package struct ModelTables: Sendable {
    let schema: Schema
    let dialect: any SQLDialect
    let all: [ModelTable]
    /// The tables of the many-to-many relations.
    let links: [LinkTable]
    let search: SearchIndexes
    private let byName: [String: ModelTable]
    private let linkSides: [String: LinkSide]

    init(_ schema: Schema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
        links = schema.links.map { LinkTable($0, dialect) }
        search = SearchIndexes(schema, dialect)
        let sides = links.flatMap(\.sides)
        linkSides = Dictionary(sides.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        all = schema.models.map { model in
            ModelTable(model, in: schema, links: sides.filter { $0.end.own.model == model.name }, dialect)
        }
        byName = Dictionary(all.map { ($0.model.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(model: String) -> ModelTable? { byName[model] }

    /// Returns the side of a many-to-many property; nil for any other property.
    func linkSide(_ property: String, of model: String) -> LinkSide? { linkSides["\(model).\(property)"] }

    /// Returns the tables of the models and of all models whose records a delete of theirs may delete.
    func cascade(from models: Set<String>) -> [ModelTable] {
        var found = models
        var next = Array(models)
        while let model = next.popLast(), let table = self[model] {
            let related =
                table.foreignKeys.filter { $0.deleteRule == .cascade }.map(\.model)
                + table.links.filter { $0.end.own.deleteRule == .cascade }.map(\.end.other.model)
            next += related.filter { found.insert($0).inserted }
        }
        return found.compactMap { self[$0] }
    }
}

extension ModelTable {
    /// Indicates whether a delete of a record changes a bounded number of related records of others.
    var affectsCounts: Bool { refersToCounted || links.contains { $0.end.opposite.own.count != .any } }
}

extension LinkTable {
    /// The sides of the relation. A symmetric relation has a single one.
    fileprivate var sides: [LinkSide] {
        (relation.isSymmetric ? [false] : [false, true]).map { LinkSide(self, isInverse: $0) }
    }
}

extension LinkSide {
    fileprivate var name: String { "\(end.own.model).\(end.own.property)" }
}

extension Schema {
    /// Checks the names of models and properties.
    ///
    /// Engines compare names without case and reserve names of their own.
    ///
    /// - Throws: ``StoreOpenError/unusableName(model:property:reason:)``.
    func checkTableNames(_ dialect: any SQLDialect) throws(StoreOpenError) {
        var tables: Set<String> = []
        let builtIn = Set(Self.builtIn.map(\.name))
        for model in models {
            let table = model.name.lowercased()
            if table.hasPrefix("aviary_") && !builtIn.contains(model.name) || table.hasPrefix(dialect.ownTablePrefix) {
                throw .unusableName(
                    model: model.name, property: nil,
                    reason: "has a name that the store uses for itself. Rename the model."
                )
            }
            if !tables.insert(table).inserted {
                throw .unusableName(
                    model: model.name, property: nil,
                    reason: "differs from another model only in the case of its name. Rename one."
                )
            }
            var columns: Set<String> = dialect.ownColumns.union(["id", "aviary_version"])
            for property in model.storedProperties where !columns.insert(property.name.lowercased()).inserted {
                throw .unusableName(
                    model: model.name, property: property.name,
                    reason: "has the name of another column, which SQLite compares without regard to case. Rename it."
                )
            }
        }
    }
}
