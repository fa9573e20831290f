import AviaryDomain

// These obstacles depend on the records. A stage of the program may remove them, so they are only checked if there
// is none.
extension DerivedMigration {
    static func obstacles(
        to steps: [MigrationStep], _ indexes: IndexChanges, _ tables: ModelTables, _ file: SchemaSummary,
        in connection: any Connection
    ) throws -> [String] {
        let changes = steps.flatMap(\.difference.changes)
        let repeated = try indexes.added.filter(\.isUnique).compactMap {
            try repetition(against: $0, tables, file, changes, connection)
        }
        let links = try steps.flatMap { try $0.links.refusals(file, in: connection) }
        return try repeated + changes.compactMap { try obstacle(to: $0, tables, changes, connection) } + links
    }

    /// Returns the obstacle of records that violate a new unique constraint.
    private static func repetition(
        against index: TableIndex, _ tables: ModelTables, _ file: SchemaSummary, _ changes: [SchemaChange],
        _ connection: any Connection
    ) throws -> String? {
        guard let table = tables[index.model], file.models[index.model] != nil else { return nil }
        let former = changes.formerNames(in: index.model)
        let columns = index.properties.map { connection.dialect.name(former[$0] ?? $0) }
        guard index.properties.allSatisfy({ file.property(former[$0] ?? $0, of: index.model) != nil }) else {
            return nil
        }
        let sql =
            "SELECT count(*) FROM (SELECT 1 FROM \(table.name) WHERE "
            + columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            + " GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1) AS repeated"
        let count = try connection.firstRow(sql) { Int($0.integer(0)) } ?? 0
        guard count > 0 else { return nil }
        let subject = index.properties.map { "\(index.model).\($0)" }
        return "\(TextFormatter.list(subject)) \(subject.count == 1 ? "is" : "are") to be unique, and "
            + "\(count == 1 ? "one value is" : "\(count) values are") there more "
            + "than once. Change the records with the program that wrote the file, then try again."
    }

    /// Returns the obstacle of values that the new type cannot represent exactly.
    static func tooLarge(
        _ property: String, of table: ModelTable, for type: PropertyType, _ widening: TypeWidening,
        _ former: [String: String],
        _ connection: any Connection
    ) throws -> String? {
        guard let limit = widening.largestWholeNumber else { return nil }
        let column = connection.dialect.name(former[property] ?? property)
        let sql = "SELECT count(*) FROM \(table.name) WHERE \(column) NOT BETWEEN ? AND ?"
        let count = try connection.firstRow(sql, [.integer(-limit), .integer(limit)]) { Int($0.integer(0)) } ?? 0
        guard count > 0 else { return nil }
        return
            "\(table.model.name).\(property) is to be \(type.name), and \(count == 1 ? "one value is" : "\(count) values are") too "
            + "large for that. Change the records with the program that wrote the file, then try again."
    }

    /// Returns the obstacle of records that hold choices which the program does not have.
    ///
    /// - Parameter property: The property as the program has it.
    static func heldChoices(
        _ choices: [String], of property: PropertySchema, in table: ModelTable, _ former: [String: String],
        _ connection: any Connection
    ) throws -> String? {
        // The program that wrote the file knows the property by this name.
        let name = former[property.name] ?? property.name
        let column = connection.dialect.name(name)
        let areNumbers = property.type.storage == .integer
        let values = choices.map { areNumbers ? Int64($0).map(FieldValue.integer) ?? .null : .text($0) }
        let count: Int
        if property.type.element == nil {
            let places = values.map { _ in "?" }.joined(separator: ", ")
            let sql = "SELECT count(*) FROM \(table.name) WHERE \(column) IN (\(places))"
            count = try connection.firstRow(sql, values) { Int($0.integer(0)) } ?? 0
        } else {
            count = try arrays(in: column, of: table, with: Set(choices), connection)
        }
        guard count > 0 else { return nil }
        let held =
            "\(table.model.name).\(property.name) no longer has the choice \(TextFormatter.list(choices)), which "
        return held
            + "\(count == 1 ? "one record holds" : "\(count) records hold"). Give the records another value with the "
            + "program that wrote the file: update \(table.model.name) --query … --set \(name)=…; or declare the "
            + "choice again, or write a migration plan that converts \(table.model.name)."
    }

    /// Returns the number of records whose array has one of the elements.
    private static func arrays(
        in column: String, of table: ModelTable, with elements: Set<String>, _ connection: any Connection
    ) throws -> Int {
        let statement = try connection.statement("SELECT \(column) FROM \(table.name) WHERE \(column) IS NOT NULL")
        defer { statement.reset() }
        statement.readInPieces()
        var count = 0
        while try statement.step() {
            var reader = JSONReader(Array((statement.text(0) ?? "").utf8))
            let held = try reader.value().list ?? []
            if held.contains(where: { elements.contains($0.text ?? $0.integer.map(String.init) ?? "") }) { count += 1 }
        }
        return count
    }

    private static func obstacle(
        to change: SchemaChange, _ tables: ModelTables, _ changes: [SchemaChange], _ connection: any Connection
    ) throws -> String? {
        switch change {
        case .newProperty(let model, let property, .repeated):
            guard try RecordCountTable.count(model, in: connection) > 1 else { return nil }
            return
                "\(model).\(property.name) is new and to be unique, and its default would be the same in all records that "
                + "are there. Make it optional, without a default."
        case .widened(let model, let property, _, let type, let widening):
            return try tables[model].flatMap {
                try tooLarge(property, of: $0, for: type, widening, changes.formerNames(in: model), connection)
            }
        case .choicesRemoved(let model, let property, let choices):
            guard let table = tables[model], let property = table.model.property(property) else { return nil }
            return try heldChoices(choices, of: property, in: table, changes.formerNames(in: model), connection)
        default: return nil
        }
    }
}

extension [SchemaChange] {
    /// Returns the former names of properties by the new ones.
    func formerNames(in model: String) -> [String: String] {
        var names: [String: String] = [:]
        for case .renamed(model, let old, let new) in self { names[new] = old }
        return names
    }
}

extension TypeWidening {
    /// The largest integer that the conversion keeps exactly; nil if it keeps all.
    var largestWholeNumber: Int64? {
        switch self {
        case .unchanged: nil
        case .real: 1 << 53
        case .scaled(let digits): .max / (0..<digits).reduce(1) { power, _ in power * 10 }
        }
    }
}
