import AviaryDomain
import Foundation

/// The table of a model, with its names and the statements that depend on nothing else.
final class ModelTable: Sendable {
    let model: ModelSchema
    let dialect: any SQLDialect
    /// The quoted name, like all names here. Statements that read use it, so that they do not see masked rows.
    let name: String
    /// The name of the table itself, with all rows, for statements that write. See ``RowMask``.
    let stored: String
    let columns: [String]
    /// The to-one properties.
    let references: [ReferenceColumn]
    /// The references to this model's records, with the tables that hold them.
    let foreignKeys: [ForeignKey]
    /// The many-to-many properties.
    let links: [LinkSide]
    /// The to-many properties with bounds of the number of related records.
    let counts: [RelatedCount]
    /// The selected columns: id, version, then the others.
    let selection: String
    let insert: Query
    let find: Query
    let remove: Query

    init(_ model: ModelSchema, in schema: Schema, links: [LinkSide] = [], _ dialect: any SQLDialect) {
        self.model = model
        self.dialect = dialect
        let name = dialect.name(model.name)
        let columns = model.storedProperties.map { dialect.name($0.name) }
        let selection = (["id", "aviary_version"] + columns).joined(separator: ", ")
        self.name = name
        stored = dialect.stored(name)
        self.columns = columns
        self.selection = selection
        references = model.storedProperties.enumerated().compactMap { index, property in
            guard case .toOne(let target) = property.type else { return nil }
            let key = schema.foreignKeys.first { $0.model == model.name && $0.property == property.name }
            return ReferenceColumn(
                index: index, column: dialect.name(property.name), property: property.name, target: target,
                inverse: key.flatMap { RelatedCount($0, dialect) }
            )
        }
        foreignKeys = schema.foreignKeys(to: model.name)
        self.links = links
        counts = links.compactMap(\.count) + foreignKeys.compactMap { RelatedCount($0, dialect) }
        insert = Query(
            "\(dialect.rowInsertion) \(stored) (\(selection)) VALUES (\(SQL.placeholders(columns.count + 2)))")
        find = Query("SELECT \(selection) FROM \(name) WHERE id = ?")
        remove = Query("DELETE FROM \(stored) WHERE id = ?")
    }

    /// Indicates whether a record's references determine how many related records another record has.
    var refersToCounted: Bool { references.contains { $0.inverse != nil } }

    /// Indicates whether a record may violate the bounds of related records, its own or those of another record.
    var isCounted: Bool { !counts.isEmpty || refersToCounted }

    func update(columns indexes: [Int]) -> String {
        let assignments = indexes.filter(columns.indices.contains).map { "\(columns[$0]) = ?" }
        return "\(dialect.rowUpdate) \(stored) SET \((["aviary_version = ?"] + assignments).joined(separator: ", ")) "
            + "WHERE id = ?"
    }
}

/// A column that holds the id of another record.
struct ReferenceColumn: Sendable {
    /// The index of the property among the stored properties.
    let index: Int
    let column: String
    let property: String
    let target: String
    /// The bounds of the target's to-many property; nil if it has none.
    let inverse: RelatedCount?
}

extension RelatedCount {
    fileprivate convenience init?(_ key: ForeignKey, _ dialect: any SQLDialect) {
        guard let inverse = key.inverse else { return nil }
        self.init(
            model: key.target, property: inverse, allowed: key.count, table: dialect.name(key.model),
            column: dialect.name(key.property)
        )
    }
}

extension ModelTable {
    /// The statements that create the table with its own indexes. Sort indexes are created and dropped separately.
    var creation: [String] {
        [createTable(named: name)] + indexCreation
    }

    var indexCreation: [String] { indexes.map(\.creation) }

    /// The table's own indexes. A migration drops and creates them by their names.
    var indexes: [TableIndex] { uniqueIndexes + referenceIndexes + declaredIndexes }

    // Rows have numbers: a text may be a megabyte, and a table without row numbers stores whole rows in the inner
    // pages of its B-tree, where they displace keys. Indexes then end in a small integer, so that a list that is
    // sorted by another column finds its rows by comparing integers and not 36 characters, and a cascade can hold
    // 100,000 rows as integers. With UUIDs of version 7 the index of the ids grows at its end.
    func createTable(named creationName: String) -> String {
        var columns = [
            ColumnDefinition("id", .text, "PRIMARY KEY NOT NULL"),
            ColumnDefinition("aviary_version", .integer, "NOT NULL"),
        ]
        columns += model.storedProperties.map { definition(of: $0) }
        return dialect.createTable(creationName, columns, .numbered)
    }

    /// Returns the definition of a property's column.
    ///
    /// - Parameter constant: The value of existing rows; null if they have none.
    func definition(of property: PropertySchema, forRowsThereAlready constant: FieldValue = .null) -> ColumnDefinition {
        var constraints: [String] = []
        if !property.isOptional { constraints.append("NOT NULL") }
        if !constant.isNull { constraints.append("DEFAULT \(dialect.literal(constant))") }
        if case .toOne(let target) = property.type {
            // The foreign key is only a safety net: the delete rules are resolved before the commit.
            constraints.append(dialect.reference(to: dialect.name(target)))
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

    // These indexes end in the id, as the orders of lists do.
    private var declaredIndexes: [TableIndex] {
        model.indexes.map { properties in
            let name = "aviary_index.\(model.name).\(properties.joined(separator: "."))"
            return TableIndex(
                name: name, model: model.name, properties: properties,
                creation: "CREATE INDEX \(dialect.name(name)) ON \(self.name) (\(columns(properties)), id)"
            )
        }
    }

    // No Swift identifier contains a dot, so no two indexes have the same name.
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
    /// Returns the expression by which lists compare the column. Texts are compared without the case of ASCII
    /// letters.
    func sortExpression(_ column: String, _ dialect: any SQLDialect) -> String {
        isSortedIgnoringCase ? dialect.ignoringCase(column) : column
    }

    var isSortedIgnoringCase: Bool { type == .string }

    /// Indicates whether a list can be sorted by the property.
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

extension ModelTable {
    /// Returns the record in a row that begins with ``selection``.
    func record(_ row: any Row, referenceTitles: [String?] = []) throws(RecordDecodingError) -> Record {
        guard let id = row.uuid(0) else { throw RecordDecodingError(model: model.name) }
        return Record(
            id: id, version: row.integer(1), values: row.values(2..<columns.count + 2), referenceTitles: referenceTitles
        )
    }

    func record(_ id: String, in connection: any Connection) throws -> Record? {
        try connection.firstRow(find, [.text(id)]) { try record($0) }
    }

    /// Returns the number of a record's row, which may be masked; nil if there is none.
    func rowNumber(of id: String, in connection: any Connection) throws -> Int64? {
        try connection.firstRow("SELECT \(dialect.rowNumber) FROM \(stored) WHERE id = ?", [.text(id)]) {
            $0.integer(0)
        }
    }

    /// Returns the unique constraints that a record with these values violates, each with the record that has the same
    /// values already. Its row may be masked.
    ///
    /// - Parameters:
    ///   - values: The values in the order of the stored properties.
    ///   - id: The record itself.
    func holders(
        of values: [FieldValue], except id: String, in connection: any Connection
    ) throws -> [(properties: [String], id: String)] {
        try model.uniqueConstraints.compactMap { properties in
            let indexes = properties.compactMap(model.storedIndex).filter(values.indices.contains)
            let compared = indexes.map { values[$0] }
            guard compared.count == properties.count, !compared.contains(.null) else { return nil }
            let conditions = indexes.map { "\(columns[$0]) = ?" }.joined(separator: " AND ")
            return try connection.firstRow(
                "SELECT id FROM \(stored) WHERE \(conditions) AND id <> ?", compared + [.text(id)]
            ) { (properties, $0.text(0) ?? "") }
        }
    }
}

/// A row that this library did not write.
package struct RecordDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    package let model: String

    package var description: String {
        "A row of \(model) has a value that the store does not write, such as an id that is not a canonical UUID. Another program "
            + "wrote to the file: restore the last backup."
    }
}

extension RecordDecodingError: RedactedError {
    package var redacted: String { description }
}

/// An index of (property, id) by which lists of the model are sorted.
package struct SortIndex: Sendable, Hashable {
    package let model: String
    package let property: String

    package init(model: String, property: String) {
        self.model = model
        self.property = property
    }
}

extension SortIndex {
    static let namePrefix = "aviary_sort."

    // No Swift identifier contains a dot, so no two indexes have the same name.
    var name: String { Self.namePrefix + model + "." + property }

    /// Creates an index from its name; nil for any other name.
    init?(name: String) {
        guard name.hasPrefix(Self.namePrefix) else { return nil }
        let parts = name.dropFirst(Self.namePrefix.count).split(separator: ".")
        guard parts.count == 2, let model = parts.first, let property = parts.last else { return nil }
        self.init(model: String(model), property: String(property))
    }
}

/// An index of a model's table, which is identified by its name.
struct TableIndex: Sendable, Hashable {
    let name: String
    let model: String
    /// The properties whose values the index contains.
    let properties: [String]
    var isUnique = false
    /// The statement that creates the index.
    let creation: String
}

extension TableIndex {
    /// The prefixes of the names of such indexes. Any other index in the file is not changed.
    static let namePrefixes = ["aviary_unique.", "aviary_reference.", "aviary_index."]

    static func isName(_ name: String) -> Bool {
        namePrefixes.contains(where: name.hasPrefix)
    }
}
