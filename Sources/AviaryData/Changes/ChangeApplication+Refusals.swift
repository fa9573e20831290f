import AviaryDomain
import Foundation

// SQLite reports that a constraint failed. These functions find out which one, because its message would have to be
// parsed.
extension ChangeApplication {
    /// Checks the rules of what an update changes. The types of the values were checked before.
    ///
    /// - Parameters:
    ///   - indexes: The changed values among the stored properties.
    ///   - record: The record after the update.
    ///   - stored: The record before the update.
    func check(_ indexes: [Int], of record: Record, since stored: Record, in table: ModelTable) throws(StoreError) {
        let model = table.model
        var problems = model.ruleProblems(at: indexes, in: record.values)
        if problems.isEmpty {
            problems = model.newProblems(in: record, since: stored) { name in
                model.storedIndex(of: name).map(indexes.contains) ?? false
            }
        }
        guard problems.isEmpty else { throw .invalid(model: model.name, problems) }
    }

    /// Returns an error for the first unique constraint that another record violates with the same values.
    ///
    /// - Parameter values: The values in the order of the stored properties.
    func repetition(of values: [FieldValue], id: String, in table: ModelTable) throws -> StoreError? {
        guard let properties = try table.holders(of: values, except: id, in: connection).first?.properties else {
            return nil
        }
        if properties.count == 1, let property = properties.first {
            return .notUnique(model: table.model.name, property: property)
        }
        return .notUniqueTogether(model: table.model.name, properties: properties)
    }

    /// Returns an error for the first reference among the changes whose record does not exist.
    func missingReference(in steps: [PreparedChange]) throws -> StoreError? {
        for step in steps {
            if let error = try tables.missingReference(in: step, connection) { return error }
        }
        return nil
    }

    /// Returns an error for records whose references a delete left dangling.
    ///
    /// The delete rule left them to this check.
    func deniedByReference(_ unresolved: [DeleteResolution.Referrers]) throws -> StoreError? {
        for referrers in unresolved {
            guard let target = tables[referrers.key.target] else { continue }
            let dialect = connection.dialect
            let column = "holder." + dialect.name(referrers.key.property)
            let sql = """
                SELECT count(*) FROM \(dialect.list) \(dialect.orderedJoin) \(referrers.table.name) AS holder \
                ON holder.\(dialect.rowNumber) = list.value \
                WHERE \(column) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(target.name) AS target WHERE target.id = \(column))
                """
            var count = 0
            try RowNumberList(referrers.rows).forEachList(dialect) { list in
                count += try connection.firstRow(sql, [list]) { Int($0.integer(0)) } ?? 0
            }
            if count > 0 {
                return .deleteDenied(model: referrers.key.target, referencedBy: referrers.key.model, count: count)
            }
        }
        return nil
    }
}

extension ChangeApplication {
    /// Returns an error for links that a delete left with one end.
    ///
    /// The delete rule left them to this check.
    func deniedByLink(_ unresolved: [DeleteResolution.Links]) throws -> StoreError? {
        for links in unresolved {
            let left = try links.pairs.filter { try links.side.table.contains($0, in: connection) }
            if !left.isEmpty { return links.denial(count: left.count) }
        }
        return nil
    }
}

extension Record {
    /// Returns the record with other values at some indexes.
    func changed(_ changes: [(index: Int, value: FieldValue)]) -> Record {
        var values = values
        for (index, value) in changes where values.indices.contains(index) { values[index] = value }
        return Record(id: id, version: version, values: values)
    }
}

extension ModelTables {
    /// Returns an error for the first reference of the step whose record does not exist.
    func missingReference(in step: PreparedChange, _ connection: any Connection) throws -> StoreError? {
        switch step {
        case .insert(let table, _, let values):
            for reference in table.references where reference.index < values.count {
                if let error = try missingReference(reference, values[reference.index], of: table, connection) {
                    return error
                }
            }
        case .update(let table, _, _, let columns, let values):
            for reference in table.references {
                guard let position = columns.firstIndex(of: reference.index), position < values.count else { continue }
                if let error = try missingReference(reference, values[position], of: table, connection) { return error }
            }
        case .link(let side, let id, let target):
            return try missingEnd(of: side, id, target, connection)
        case .delete, .remove, .unlink: break
        }
        return nil
    }

    private func missingEnd(
        of side: LinkSide, _ id: UUID, _ target: UUID, _ connection: any Connection
    ) throws -> StoreError? {
        let end = side.end
        for (model, id) in [(end.own.model, id), (end.other.model, target)] {
            guard let table = self[model] else { continue }
            let found = try connection.firstRow(table.find, [.text(id.canonicalText)]) { _ in true }
            if found == nil { return .missingReference(model: end.own.model, property: end.own.property) }
        }
        return nil
    }

    private func missingReference(
        _ reference: ReferenceColumn, _ value: FieldValue, of table: ModelTable, _ connection: any Connection
    ) throws -> StoreError? {
        guard !value.isNull, let target = self[reference.target] else { return nil }
        let found = try connection.firstRow(target.find, [value]) { _ in true }
        return found == nil ? .missingReference(model: table.model.name, property: reference.property) : nil
    }
}
