import AviaryDomain

extension ModelTable {
    /// The statements that create the table with its own indexes; sort indexes come and go apart.
    var creation: [String] {
        [createTable(named: name)] + indexCreation
    }

    var indexCreation: [String] { uniqueIndexes + referenceIndexes }

    // Rows have numbers: a text may be a megabyte, and a table without them keeps whole rows in the inner pages of its
    // tree, where they crowd out keys. Indexes then end in a small integer, so that a list sorted by another column
    // finds its rows by comparing integers and not 36 characters, and a cascade can hold 100,000 rows as integers.
    // UUIDs of version 7 keep the index over the ids growing at its end.
    func createTable(named creationName: String) -> String {
        var columns = [
            ColumnDefinition("id", .text, "PRIMARY KEY NOT NULL"), ColumnDefinition("aviary_version", .integer, "NOT NULL"),
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
        return ColumnDefinition(dialect.name(property.name), property.type.columnType, constraints.joined(separator: " "))
    }

    private var uniqueIndexes: [String] {
        model.storedProperties.filter(\.isUnique).map(createUniqueIndex)
    }

    private var referenceIndexes: [String] {
        references.map { createReferenceIndex($0.property) }
    }

    func createUniqueIndex(_ property: PropertySchema) -> String {
        let name = dialect.name(uniqueIndexName(property.name))
        return "CREATE UNIQUE INDEX \(name) ON \(self.name) (\(dialect.name(property.name)))"
    }

    func uniqueIndexName(_ property: String) -> String { "aviary_unique.\(model.name).\(property)" }

    func createReferenceIndex(_ property: String) -> String {
        let index = dialect.name("aviary_reference.\(model.name).\(property)")
        return "CREATE INDEX \(index) ON \(name) (\(dialect.name(property)))"
    }

    func createSortIndex(_ property: PropertySchema, named indexName: String) -> String {
        let key = property.sortExpression(dialect.name(property.name), dialect)
        return "CREATE INDEX \(dialect.name(indexName)) ON \(name) (\(dialect.indexed(key)), id)"
    }
}

extension PropertySchema {
    /// How lists compare the column: texts without regard to the case of ASCII letters.
    func sortExpression(_ column: String, _ dialect: any SQLDialect) -> String {
        isSortedIgnoringCase ? dialect.ignoringCase(column) : column
    }

    var isSortedIgnoringCase: Bool { type == .string }

    /// Whether a list can be sorted by it.
    var isSortable: Bool {
        switch type {
        case .string, .boolean, .integer, .double, .date, .calendarDate, .uuid, .choice: true
        case .toOne, .toMany: false
        }
    }
}

extension PropertyType {
    fileprivate var columnType: ColumnDefinition.ColumnType {
        switch self {
        case .boolean, .integer: .integer
        case .double: .real
        case .string, .date, .calendarDate, .uuid, .choice, .toOne, .toMany: .text
        }
    }
}
