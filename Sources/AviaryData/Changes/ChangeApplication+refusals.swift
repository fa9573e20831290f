import AviaryDomain
import Foundation

// SQLite says that a constraint failed; which one is looked up, because its message would have to be parsed.
extension ChangeApplication {
    /// The unique property of which another record has the value.
    func refusal(of values: [FieldValue], columns: [Int], id: String, in table: ModelTable) throws -> StoreError? {
        for (index, value) in zip(columns, values) where !value.isNull {
            guard table.columns.indices.contains(index), table.model.storedProperties[index].isUnique else { continue }
            let other = try connection.firstRow(
                "SELECT 1 FROM \(table.name) WHERE \(table.columns[index]) = ? AND id <> ?", [value, .text(id)]
            ) { _ in true }
            if other != nil {
                return .notUnique(model: table.model.name, property: table.model.storedProperties[index].name)
            }
        }
        return nil
    }

    /// The first reference among the changes that points nowhere.
    func missingReference(in steps: [Step]) throws -> StoreError? {
        for step in steps {
            if let error = try tables.missingReference(in: step, connection) { return error }
        }
        return nil
    }

    /// Records that a delete left pointing nowhere, where the rule left it to this check.
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
            try RowList(referrers.rows).forEachList(dialect) { list in
                count += try connection.firstRow(sql, [list]) { Int($0.integer(0)) } ?? 0
            }
            if count > 0 {
                return .deleteDenied(model: referrers.key.target, referencedBy: referrers.key.model, count: count)
            }
        }
        return nil
    }
}

extension ModelTables {
    /// The first reference of the step that points nowhere.
    func missingReference(in step: Step, _ connection: any Connection) throws -> StoreError? {
        switch step {
        case .insert(let table, _, let values):
            for reference in table.references where reference.index < values.count {
                if let error = try missingReference(reference, values[reference.index], of: table, connection) { return error }
            }
        case .update(let table, _, _, let columns, let values):
            for reference in table.references {
                guard let position = columns.firstIndex(of: reference.index), position < values.count else { continue }
                if let error = try missingReference(reference, values[position], of: table, connection) { return error }
            }
        case .delete, .remove: break
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
