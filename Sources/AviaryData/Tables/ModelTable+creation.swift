import AviaryDomain

extension ModelTable {
    /// The statements that create the table with its own indexes; sort indexes come and go apart.
    var creation: [String] {
        [createTable(named: name)] + indexCreation
    }

    var indexCreation: [String] { indexes.map(\.creation) }

    /// The table's own indexes; a migration drops and creates them by their names.
    var indexes: [TableIndex] { uniqueIndexes + referenceIndexes + declaredIndexes }

    // Rows have numbers: a text may be a megabyte, and a table without them keeps whole rows in the inner pages of its
    // tree, where they crowd out keys. Indexes then end in a small integer, so that a list sorted by another column
    // finds its rows by comparing integers and not 36 characters, and a cascade can hold 100,000 rows as integers.
    // UUIDs of version 7 keep the index over the ids growing at its end.
    func createTable(named creationName: String) -> String {
        var columns = [
            ColumnDefinition("id", .text, "PRIMARY KEY NOT NULL"),
            ColumnDefinition("aviary_version", .integer, "NOT NULL"),
        ]
        columns += model.storedProperties.map { definition(of: $0) }
        return dialect.createTable(creationName, columns, .numbered)
    }

    /// - Parameter constant: The value of rows that are there already; null where they have none.
    func definition(of property: PropertySchema, forRowsThereAlready constant: FieldValue = .null) -> ColumnDefinition {
        var constraints: [String] = []
        if !property.isOptional { constraints.append("NOT NULL") }
        if !constant.isNull { constraints.append("DEFAULT \(dialect.literal(constant))") }
        if case .toOne(let target) = property.type {
            // A net only: the delete rules are resolved before the commit.
            constraints.append("REFERENCES \(dialect.name(target))(id) \(dialect.deferred)")
        }
        return ColumnDefinition(
            dialect.name(property.name), property.type.columnType, constraints.joined(separator: " "))
    }

    private var uniqueIndexes: [TableIndex] {
        model.uniqueConstraints.map { properties in
            let name = uniqueIndexName(properties.joined(separator: "."))
            return TableIndex(
                name: name, model: model.name, properties: properties, isUnique: true,
                creation: "CREATE UNIQUE INDEX \(dialect.name(name)) ON \(self.name) (\(columns(properties)))"
            )
        }
    }

    // They end in the id, as orders do.
    private var declaredIndexes: [TableIndex] {
        model.indexes.map { properties in
            let name = "aviary_index.\(model.name).\(properties.joined(separator: "."))"
            return TableIndex(
                name: name, model: model.name, properties: properties,
                creation: "CREATE INDEX \(dialect.name(name)) ON \(self.name) (\(columns(properties)), id)"
            )
        }
    }

    // A dot is in no Swift identifier, so the names of two indexes are never the same.
    private func columns(_ properties: [String]) -> String {
        properties.map(dialect.name).joined(separator: ", ")
    }

    private var referenceIndexes: [TableIndex] {
        references.map { reference in
            let name = "aviary_reference.\(model.name).\(reference.property)"
            return TableIndex(
                name: name, model: model.name, properties: [reference.property],
                creation: "CREATE INDEX \(dialect.name(name)) ON \(self.name) (\(reference.column))"
            )
        }
    }

    func uniqueIndexName(_ property: String) -> String { "aviary_unique.\(model.name).\(property)" }

    func createSortIndex(_ property: PropertySchema, named indexName: String) -> String {
        let key = property.sortExpression(dialect.name(property.name), dialect)
        return "CREATE INDEX \(dialect.name(indexName)) ON \(name) (\(dialect.indexed(key)), id)"
    }
}

extension PropertySchema {
    /// Returns the expression by which lists compare the column: texts without regard to the case of ASCII letters.
    func sortExpression(_ column: String, _ dialect: any SQLDialect) -> String {
        isSortedIgnoringCase ? dialect.ignoringCase(column) : column
    }

    var isSortedIgnoringCase: Bool { type == .string }

    /// A Boolean value that indicates whether a list can be sorted by the property.
    var isSortable: Bool { type.isSortable }
}

extension PropertyType {
    fileprivate var columnType: ColumnDefinition.ColumnType {
        switch storage {
        case .integer: .integer
        case .real: .real
        case .text: .text
        case .blob: .blob
        }
    }
}
