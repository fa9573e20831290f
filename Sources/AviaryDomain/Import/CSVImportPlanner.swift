import Foundation

/// The state of one run over a file: what was read so far, and what is wrong.
struct CSVImportPlanner {
    let columns: [MappedColumn]
    private let ids: IDColumn?
    private let model: ModelSchema
    private let nullMarkers: Set<String>
    private let unmapped: [PropertySchema]
    private var related: RelatedRecords
    private var uniques = UniqueValues()
    private var counts: RelatedCounts
    private let schema: Schema
    private var records: [Change] = []
    private var links: [Change] = []
    var problems = LineProblems()

    init(columns: [MappedColumn], ids: IDColumn? = nil, import settings: CSVImport) {
        self.columns = columns
        self.ids = ids
        model = settings.model
        nullMarkers = settings.nullMarkers
        let filled = Set(columns.map(\.property.name))
        unmapped = model.storedProperties.filter { !filled.contains($0.name) }
        related = RelatedRecords(for: settings, ids: ids?.all ?? [])
        schema = settings.schema
        counts = RelatedCounts(settings.schema)
    }

    mutating func add(_ record: CSVRecord, lookUp: some RecordLookUp) async throws {
        var values: [String: FieldValue] = [:]
        let known = related.created.count
        for property in unmapped {
            values[property.name] = property.defaultValue
        }
        for column in columns where column.property.type.isStored {
            switch try await value(in: record.fields[column.index], for: column.property, lookUp: lookUp) {
            case .success(let value): values[column.property.name] = value
            case .failure(let problem): problems.add("\(column.name): \(problem.message)", on: record.line)
            }
        }
        let id = try await id(of: record, lookUp: lookUp)
        for problem in model.problems(in: values, of: id) {
            let column = problem.property.isEmpty ? "" : columnName(of: problem.property) + ": "
            problems.add(column + problem.message, on: record.line)
        }
        for column in columns where column.property.isUnique {
            let name = column.property.name
            if let first = uniques.firstLine(of: values[name], in: name, at: record.line) {
                problems.add("\(column.name): Line \(first) has the same value, which must be unique.", on: record.line)
            } else if let value = values[name], !value.isNull, try await !lookUp.ids(of: model, where: [name: value]).isEmpty {
                problems.add("\(column.name): This value is stored already, and it must be unique.", on: record.line)
            }
        }
        try await checkTogether(values, on: record.line, lookUp: lookUp)
        records.append(.insert(model: model.name, id: id, values: values))
        counts.begin(id, of: model.name, on: record.line, isImported: true)
        for column in columns where !column.property.type.isStored {
            try await link(id, with: record.fields[column.index], by: column, on: record.line, lookUp: lookUp)
        }
        for case .insert(let other, let id, _) in related.created[known...] {
            counts.begin(id, of: other, on: record.line, isImported: false)
        }
        try await counts.add(values, of: model.name, on: record.line, lookUp: lookUp)
    }

    /// Values that are unique together with others.
    private mutating func checkTogether(_ values: [String: FieldValue], on line: Int, lookUp: some RecordLookUp) async throws {
        for properties in model.uniqueConstraints where properties.count > 1 {
            let compared = properties.compactMap { values[$0] }
            guard compared.count == properties.count, !compared.contains(.null) else { continue }
            let names = Words.list(properties.map(columnName))
            if let first = uniques.firstLine(of: compared, in: properties, at: line) {
                problems.add("\(names): Line \(first) has the same values, which must be unique together.", on: line)
            } else if try await !lookUp.ids(of: model, where: values.filter { properties.contains($0.key) }).isEmpty {
                problems.add("\(names): These values are stored already, and they must be unique together.", on: line)
            }
        }
    }

    /// What the file says, else a new one.
    private mutating func id(of record: CSVRecord, lookUp: some RecordLookUp) async throws -> UUID {
        guard let ids else { return .version7() }
        switch ids.id(of: record) {
        case .success(nil): return .version7()
        case .success(let id?):
            if let first = uniques.firstLine(of: id.fieldValue, in: "id", at: record.line) {
                problems.add("id: Line \(first) has the same id.", on: record.line)
            } else if try await lookUp.contains(id, of: model) {
                problems.add("id: \(Words.capitalized(Words.withArticle(model.singularName))) with this id is stored already.", on: record.line)
            }
            return id
        case .failure(let problem):
            problems.add("id: \(problem.message)", on: record.line)
            return .version7()
        }
    }

    mutating func plan() throws(CSVImportError) -> CSVImportPlan {
        for problem in counts.problems() where !problems.has(problem.line) {
            let column = problem.isImported ? columnName(of: problem.property) + ": " : ""
            problems.add(column + problem.message, on: problem.line)
        }
        try problems.throwIfAny()
        return CSVImportPlan(related: related.created, records: records, links: links)
    }

    /// - Parameter text: Titles, separated by semicolons.
    private mutating func link(
        _ id: UUID, with text: String, by column: MappedColumn, on line: Int, lookUp: some RecordLookUp
    ) async throws {
        guard !nullMarkers.contains(text), let target = column.property.type.model else { return }
        for part in text.split(separator: ";") {
            let title = part.trimmingCharacters(in: .whitespaces)
            guard !title.isEmpty else { continue }
            switch try await related.reference(to: target, titled: title, for: column.property, lookUp: lookUp) {
            case .success(let value):
                guard case .text(let text) = value, let other = UUID(canonicalText: text) else { continue }
                links.append(.link(model: model.name, property: column.property.name, id: id, target: other))
                guard let end = schema.link(column.property.name, of: model.name) else { continue }
                try await counts.link(id, with: other, by: end, on: line, lookUp: lookUp)
            case .failure(let problem): problems.add("\(column.name): \(problem.message)", on: line)
            }
        }
    }

    private mutating func value(
        in text: String, for property: PropertySchema, lookUp: some RecordLookUp
    ) async throws -> Result<FieldValue, FieldProblem> {
        if nullMarkers.contains(text) { return .success(property.valueWhenMissing) }
        if case .toOne(let target) = property.type {
            if text.allSatisfy(\.isWhitespace) { return .success(property.valueWhenMissing) }
            return try await related.reference(to: target, titled: text, for: property, lookUp: lookUp)
        }
        return property.value(inCSV: property.spelledAsDeclared(text)).map { $0.isNull ? property.valueWhenMissing : $0 }
    }

    private func columnName(of property: String) -> String {
        columns.first { $0.property.name == property }?.name ?? property
    }
}

extension PropertySchema {
    /// Null where that is a value; else the default. Null again where there is none, which validation then refuses.
    fileprivate var valueWhenMissing: FieldValue {
        isOptional || isMissingWithoutColumn ? .null : defaultValue
    }

    /// The choice that the text is, whatever its case.
    fileprivate func spelledAsDeclared(_ text: String) -> String {
        guard let choices = type.choices else { return text }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard !choices.contains(trimmed) else { return trimmed }
        // Of a choice that is stored as an integer, a file has the words.
        let names = type.storage == .integer ? choiceLabels : choices
        return zip(choices, names).first { $0.1.lowercased() == trimmed.lowercased() }?.0 ?? trimmed
    }
}
