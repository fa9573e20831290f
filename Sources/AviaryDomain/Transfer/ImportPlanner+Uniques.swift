import Foundation

extension ImportPlanner {
    /// Notes that the record of a line exists, or that an earlier line has it.
    private mutating func noteDuplicate(
        _ message: String, on line: Int, value: String? = nil, group: String? = nil
    ) {
        isDuplicate = skipsDuplicates
        if !skipsDuplicates { problems.add(message, on: line, value: value, group: group) }
    }

    /// Checks the values that must be unique, in the file and among stored records.
    mutating func checkUniques(
        _ values: [String: FieldValue], of id: UUID, in record: ImportRecord, lookUp: some RecordLookup
    ) async throws {
        let line = record.line
        for column in columns where column.property.isUnique {
            let name = column.property.name, text = quoted(record.cells[column.index], of: column.property)
            if let first = uniques.firstLine(of: values[name], in: name, at: line) {
                noteDuplicate(
                    localized("\(column.name): Line \(String(first)) has the same value. Values must be unique."),
                    on: line, value: text,
                    group: localized("\(column.name): An earlier line has the same value. Values must be unique."))
            } else if let value = values[name], !value.isNull,
                try await lookUp.ids(of: model, where: [name: value]).contains(where: { $0 != id })
            {
                noteDuplicate(
                    localized("\(column.name): This value already exists. Values must be unique."), on: line,
                    value: text)
            }
        }
        if match == .id, let first = uniques.firstLine(of: id.fieldValue, in: "id", at: line) {
            noteDuplicate(
                localized("id: Line \(String(first)) has the same ID."), on: line, value: id.canonicalText,
                group: localized("id: An earlier line has the same ID."))
        }
    }

    /// Checks the constraints that require several values to be unique together.
    mutating func checkTogether(
        _ values: [String: FieldValue], of id: UUID, on line: Int, lookUp: some RecordLookup
    ) async throws {
        for properties in model.uniqueConstraints where properties.count > 1 {
            let compared = properties.compactMap { values[$0] }
            guard compared.count == properties.count, !compared.contains(.null) else { continue }
            let names = TextFormatter.list(properties.map(columnName))
            if let first = uniques.firstLine(of: compared, in: properties, at: line) {
                noteDuplicate(
                    localized("\(names): Line \(String(first)) has the same values. The combination must be unique."),
                    on: line,
                    group: localized("\(names): An earlier line has the same values. The combination must be unique."))
            } else if try await lookUp.ids(of: model, where: values.filter { properties.contains($0.key) }).contains(
                where: { $0 != id })
            {
                noteDuplicate(
                    localized("\(names): These values already exist. The combination must be unique."), on: line)
            }
        }
    }

    /// Returns the id from the file, or else a new one.
    mutating func newID(of record: ImportRecord, lookUp: some RecordLookup) async throws -> UUID {
        guard let ids else { return .version7() }
        switch ids.id(of: record) {
        case .success(nil): return .version7()
        case .success(let id?):
            if match != .id, let first = uniques.firstLine(of: id.fieldValue, in: "id", at: record.line) {
                noteDuplicate(
                    localized("id: Line \(String(first)) has the same ID."), on: record.line, value: id.canonicalText,
                    group: localized("id: An earlier line has the same ID."))
            } else if try await lookUp.contains(id, of: model) {
                noteDuplicate(
                    localized(
                        "id: \(TextFormatter.capitalized(TextFormatter.withArticle(model.singularName))) with this ID already exists."
                    ), on: record.line, value: id.canonicalText)
            }
            return id
        case .failure(let problem):
            problems.add("id: \(problem.message)", on: record.line)
            return .version7()
        }
    }
}
