import AviaryDomain

extension ModelTable {
    /// The statements that create the table with its own indexes; sort indexes come and go apart.
    var creation: [String] {
        [createTable] + uniqueIndexes + referenceIndexes
    }

    // With rowids: a text may be a megabyte, and a WITHOUT ROWID table keeps whole rows in the inner pages of its tree,
    // where they crowd out keys. Indexes then end in a small integer, so that a list sorted by another column
    // finds its rows by comparing integers and not 36 characters, and a cascade can hold 100,000 rows as integers.
    // UUIDs of version 7 keep the index over the ids growing at its end.
    private var createTable: String {
        var columns = ["id TEXT PRIMARY KEY NOT NULL", "aviary_version INTEGER NOT NULL"]
        columns += zip(model.storedProperties, self.columns).map { property, column in
            var definition = "\(column) \(property.type.columnType)"
            if !property.isOptional { definition += " NOT NULL" }
            if case .toOne(let target) = property.type {
                // A net only: the delete rules are resolved before the commit.
                definition += " REFERENCES \(SQL.name(target))(id) DEFERRABLE INITIALLY DEFERRED"
            }
            return definition
        }
        return "CREATE TABLE \(name) (\(columns.joined(separator: ", "))) STRICT"
    }

    private var uniqueIndexes: [String] {
        zip(model.storedProperties, columns).filter(\.0.isUnique).map { property, column in
            "CREATE UNIQUE INDEX \(SQL.name("aviary_unique.\(model.name).\(property.name)")) ON \(name) (\(column))"
        }
    }

    private var referenceIndexes: [String] {
        references.map { reference in
            "CREATE INDEX \(SQL.name("aviary_reference.\(model.name).\(reference.property)")) ON \(name) (\(reference.column))"
        }
    }

    func createSortIndex(_ property: PropertySchema, named indexName: String) -> String {
        "CREATE INDEX \(SQL.name(indexName)) ON \(name) (\(property.sortExpression(SQL.name(property.name))), id)"
    }
}

extension PropertySchema {
    /// How lists compare the column: texts without regard to the case of ASCII letters.
    func sortExpression(_ column: String) -> String {
        type == .string ? column + " COLLATE NOCASE" : column
    }

    /// Whether a list can be sorted by it.
    var isSortable: Bool {
        switch type {
        case .string, .boolean, .integer, .double, .date, .calendarDate, .uuid, .choice: true
        case .toOne, .toMany: false
        }
    }
}

extension PropertyType {
    fileprivate var columnType: String {
        switch self {
        case .boolean, .integer: "INTEGER"
        case .double: "REAL"
        case .string, .date, .calendarDate, .uuid, .choice, .toOne, .toMany: "TEXT"
        }
    }
}
