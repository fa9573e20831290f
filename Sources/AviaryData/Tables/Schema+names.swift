import AviaryDomain

extension Schema {
    /// Engines do not tell names apart by their case, and have names of their own.
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
