import Foundation

/// The state of one pass over a file: the planned changes and the problems.
struct ImportPlanner {
    let columns: [MappedColumn]
    let ids: IDColumn?
    let model: ModelSchema
    private let nullMarkers: Set<String>
    private var related: RelatedRecords
    var uniques = UniqueValues()
    private var counts: RelatedCounts
    private let schema: Schema
    private var records: [Change] = []
    private var links: [Change] = []
    let match: ImportMatch
    private let isOneBatch: Bool
    private let limits: RecordImport.Limits
    /// The memory that the title of another record occupies, compared with a unique value.
    private static let titleWeight = 10
    /// The cells of the values that all lines get, behind the cells of the file.
    private let constants: [ImportCell]
    let skipsDuplicates: Bool
    private let skipsErrors: Bool
    /// Indicates whether the record of the current line exists, or an earlier line has it.
    var isDuplicate = false
    /// The number of records that were read.
    private var lines = 0
    /// The approximate size of the planned changes since the last ``take()``, in bytes.
    private var bytes = 0
    private(set) var report = ImportReport()
    var problems: LineProblems
    /// Indicates whether the lines depend on each other, so that a line that is left out may make others wrong.
    var areLinesTogether: Bool { isOneBatch }

    init(columns: [MappedColumn], ids: IDColumn? = nil, import settings: RecordImport) {
        self.columns = columns
        self.ids = ids
        model = settings.model
        nullMarkers = settings.nullMarkers
        related = RelatedRecords(for: settings, ids: ids?.all ?? [])
        schema = settings.schema
        counts = RelatedCounts(settings.schema, importing: settings.model)
        match = settings.match
        limits = settings.limits
        constants = settings.constants.map { .cell($0.value) }
        skipsDuplicates = settings.skipsDuplicates
        skipsErrors = settings.skipsErrors
        problems = LineProblems(keepsReasons: settings.skipsErrors)
        isOneBatch = !counts.isEmpty || settings.model.properties.contains { $0.type.model == settings.model.name }
    }

    /// Indicates whether to store the planned changes before reading more.
    ///
    /// - Parameter line: The last line of the first batch; nil to decide by size.
    func isBatchFull(firstTo line: Int?) -> Bool {
        guard !isOneBatch else { return false }
        if let line, report.lastLine <= line { return report.lastLine == line }
        return records.count >= RecordImport.batchSize || bytes >= RecordImport.batchBytes
    }

    /// Returns the changes that were planned since the last call, and resets the report.
    mutating func take() -> ImportPlan {
        defer {
            forget()
            report = ImportReport()
        }
        return ImportPlan(related: related.created, records: records, links: links, report: report)
    }

    /// Drops the planned changes but keeps the report.
    mutating func forget() {
        related.created = []
        records = []
        links = []
        bytes = 0
    }

    mutating func add(_ record: ImportRecord, lookUp: some RecordLookup) async throws {
        lines += 1
        guard lines <= limits.together || !isOneBatch else {
            throw ImportError.tooManyTogether(limit: limits.together)
        }
        if skipsErrors, problems.lineCount > RecordImport.mostRejected {
            throw ImportError.tooManyRejected(limit: RecordImport.mostRejected)
        }
        let record =
            constants.isEmpty ? record : ImportRecord(line: record.line, cells: record.cells + constants)
        beginLine()
        let known = related.created.count, problemsBefore = problems.count
        var given: [String: FieldValue] = [:], defaults: Set<String> = []
        for column in columns where column.property.type.isStored {
            let cell = record.cells[column.index]
            if case .missing = cell { continue }
            switch try await value(in: cell, for: column.property, lookUp: lookUp) {
            case .success(let value):
                given[column.property.name] = value
                if isEmpty(cell), column.property.isReported(asDefault: value) { defaults.insert(column.property.name) }
            case .failure(let problem):
                problems.add(
                    "\(column.name): \(problem.message)", on: record.line, value: quoted(cell, of: column.property))
            }
        }
        let stored = try await storedRecord(for: record, given, lookUp: lookUp)
        if stored != nil, skipsDuplicates { isDuplicate = true }
        let id = if let stored { stored.id } else { try await newID(of: record, lookUp: lookUp) }
        var values = Dictionary<String, FieldValue>(minimumCapacity: model.storedProperties.count)
        for (index, property) in model.storedProperties.enumerated() {
            let known = stored.flatMap { $0.values.indices.contains(index) ? $0.values[index] : nil }
            values[property.name] = known ?? property.defaultValue
        }
        if stored == nil {
            for property in model.storedProperties
            where given[property.name] == nil && property.isReported(asDefault: values[property.name] ?? .null) {
                defaults.insert(property.name)
            }
        }
        // A value that could not be read has already been reported.
        for column in columns where column.property.type.isStored && record.cells[column.index] != .missing {
            values[column.property.name] = given[column.property.name]
        }
        let isReadable = columns.allSatisfy { values.keys.contains($0.property.name) || !$0.property.type.isStored }
        let (checked, found) = try await check(values, of: id, stored, isReadable: isReadable, lookUp: lookUp)
        for problem in found {
            let column = columns.first { $0.property.name == problem.property }
            let name = problem.property.isEmpty ? "" : columnName(of: problem.property) + ": "
            problems.add(
                name + problem.message, on: record.line,
                value: column.flatMap { quoted(record.cells[$0.index], of: $0.property) })
        }
        try await checkUniques(checked, of: id, in: record, lookUp: lookUp)
        try await checkTogether(checked, of: id, on: record.line, lookUp: lookUp)
        guard uniques.count + Self.titleWeight * related.count <= limits.values else {
            throw ImportError.tooManyValues(limit: limits.values)
        }
        var targets: [(column: MappedColumn, others: [UUID])] = []
        for column in columns where !column.property.type.isStored {
            if let others = try await self.others(
                record.cells[column.index], by: column, on: record.line, lookUp: lookUp)
            {
                targets.append((column, others))
            }
        }
        let isWrong = problems.count > problemsBefore
        if isWrong, skipsErrors {
            lookUp.endPrepared(isSaved: false)
            return revokeLine()
        }
        if isDuplicate, !isWrong {
            lookUp.endPrepared(isSaved: false)
            revokeLine()
            report.skipped += 1
            report.lineCount += 1
            report.lastLine = record.line
            return
        }
        let linksBefore = links.count
        if stored == nil { counts.begin(id, of: model.name, on: record.line, isImported: true) }
        for (column, others) in targets {
            try await link(id, with: others, by: column, on: record.line, isStored: stored != nil, lookUp: lookUp)
        }
        for case .insert(let other, let id, _) in related.created[known...] {
            counts.begin(id, of: other, on: record.line, isImported: false)
            report.inserted[other, default: 0] += 1
        }
        for name in defaults { report.defaulted[name, default: 0] += 1 }
        let changed = stored.map { stored in
            given.filter { stored.value($0.key, in: model) != (checked[$0.key] ?? $0.value) }
        }
        lookUp.endPrepared(isSaved: changed?.isEmpty != true)
        try await counts.add(changed ?? values, of: model.name, on: record.line, lookUp: lookUp)
        note(record, id, values, stored: stored, changed: changed, isLinked: links.count > linksBefore)
    }

    /// Checks the rules of a record as they are checked when it is stored: after the hooks of the application, which
    /// run for a record whose values can all be read.
    ///
    /// - Parameter values: The values by property name, without those that cannot be read.
    /// - Returns: The values after the hooks, which the store computes again from the values of the file, and the
    ///   problems.
    private func check(
        _ values: [String: FieldValue], of id: UUID, _ stored: Record?, isReadable: Bool, lookUp: some RecordLookup
    ) async throws -> (values: [String: FieldValue], problems: [FieldProblem]) {
        var checked = values
        if lookUp.preparesRecords(of: model) {
            guard isReadable else { return (values, []) }
            let types = model.validationProblems(in: values)
            guard types.isEmpty else { return (values, types) }
            switch try await lookUp.prepared(values, of: model, id: id, version: stored?.version) {
            case .success(let prepared): checked = prepared
            case .failure(let problem): return (values, [problem])
            }
        }
        guard let stored else { return (checked, model.problems(in: checked, of: id)) }
        return (checked, model.problems(changing: stored, to: checked, isComplete: isReadable))
    }

    private mutating func beginLine() {
        related.beginLine()
        uniques.beginLine()
        isDuplicate = false
    }

    /// Drops what the current line would create, because the import leaves the line out.
    private mutating func revokeLine() {
        related.revokeLine()
        uniques.revokeLine()
    }

    /// Returns the beginning of a cell's text; nil for a property whose values must not be shown.
    func quoted(_ cell: ImportCell, of property: PropertySchema) -> String? {
        property.isSecret ? nil : TextFormatter.beginning(of: cell.shown, longest: Self.longestQuote)
    }

    /// The largest number of characters of a value in a message.
    private static let longestQuote = 60

    /// Indicates whether a cell gives its property no value.
    private func isEmpty(_ cell: ImportCell) -> Bool {
        switch cell {
        case .missing, .none: true
        case .cell(let text): nullMarkers.contains(text) || text.isWhiteSpace
        case .text(let text), .json(let text): nullMarkers.contains(text)
        }
    }

    private mutating func note(
        _ record: ImportRecord, _ id: UUID, _ values: [String: FieldValue], stored: Record?,
        changed: [String: FieldValue]?, isLinked: Bool
    ) {
        report.lineCount += 1
        report.lastLine = record.line
        bytes += record.cells.reduce(64) { $0 + $1.shown.utf8.count }
        guard let stored, let changed else {
            records.append(.insert(model: model.name, id: id, values: values))
            report.inserted[model.name, default: 0] += 1
            return
        }
        if !changed.isEmpty {
            records.append(.update(model: model.name, id: id, version: stored.version, values: changed))
        }
        if changed.isEmpty, !isLinked { report.unchanged += 1 } else { report.updated += 1 }
    }

    /// Returns the stored record that the line refers to; nil for a new record.
    private func storedRecord(
        for record: ImportRecord, _ given: [String: FieldValue], lookUp: some RecordLookup
    ) async throws -> Record? {
        switch match {
        case .none: return nil
        case .id:
            guard case .success(let id?)? = ids?.id(of: record) else { return nil }
            return try await lookUp.record(id, of: model)
        case .property(let name):
            guard let value = given[name], !value.isNull,
                let id = try await lookUp.ids(of: model, where: [name: value]).first
            else { return nil }
            return try await lookUp.record(id, of: model)
        }
    }

    /// Performs the checks that are only possible at the end of the file.
    ///
    /// - Throws: ``ImportError/lines(_:more:wrong:)`` when there were problems.
    mutating func finish() throws(ImportError) {
        noteCounts()
        try problems.throwIfAny()
    }

    /// Reports records whose final number of related records is not allowed.
    mutating func noteCounts() {
        for problem in counts.problems() where !problems.has(problem.line) {
            let column = problem.isImported ? columnName(of: problem.property) + ": " : ""
            problems.add(column + problem.message, on: problem.line)
        }
    }

    /// Returns the records that a cell of a many-to-many property names; nil when the cell says nothing about links.
    ///
    /// - Parameter cell: Titles or ids, separated by semicolons; in JSON, a list.
    private mutating func others(
        _ cell: ImportCell, by column: MappedColumn, on line: Int, lookUp: some RecordLookup
    ) async throws -> [UUID]? {
        guard cell != .missing, !nullMarkers.contains(cell.shown), let target = column.property.type.model else {
            return nil
        }
        guard let titles = cell.titles else {
            problems.add(
                "\(column.name): \(localized("The value is not a list of texts."))", on: line,
                value: quoted(cell, of: column.property))
            return nil
        }
        var others: [UUID] = []
        for title in titles {
            switch try await related.reference(to: target, titled: title, for: column.property, lookUp: lookUp) {
            case .success(let value):
                guard case .text(let text) = value, let other = UUID(canonicalText: text) else { continue }
                others.append(other)
            case .failure(let problem):
                problems.add(
                    "\(column.name): \(problem.message)", on: line,
                    value: quoted(.text(title), of: column.property))
            }
        }
        return others
    }

    /// Adds the links of a record.
    ///
    /// - Parameter others: The records that the file names.
    private mutating func link(
        _ id: UUID, with others: [UUID], by column: MappedColumn, on line: Int, isStored: Bool,
        lookUp: some RecordLookup
    ) async throws {
        let name = column.property.name
        // A stored record ends up with exactly the links that the file names.
        let present = isStored ? Set(try await lookUp.links(of: name, of: model, id: id)) : []
        for other in others where !present.contains(other) {
            links.append(.link(model: model.name, property: name, id: id, target: other))
            guard let end = schema.link(name, of: model.name) else { continue }
            try await counts.link(id, with: other, by: end, on: line, lookUp: lookUp)
        }
        for other in present.subtracting(others).sorted(by: { $0.canonicalText < $1.canonicalText }) {
            links.append(.unlink(model: model.name, property: name, id: id, target: other))
        }
    }

    /// Returns the value that a cell gives a property.
    mutating func value(
        in cell: ImportCell, for property: PropertySchema, lookUp: some RecordLookup
    ) async throws -> Result<FieldValue, FieldProblem> {
        if cell == .none || nullMarkers.contains(cell.shown) { return .success(property.valueWhenMissing) }
        let text = cell.shown
        if cell.isStructure, property.type.isText {
            return .failure(FieldProblem(property: property.name, message: localized("The value is not a text.")))
        }
        if case .toOne(let target) = property.type {
            if text.isWhiteSpace { return .success(property.valueWhenMissing) }
            return try await related.reference(to: target, titled: text, for: property, lookUp: lookUp)
        }
        let spelled = property.spelledInFile(text)
        switch cell {
        case .text where property.type == .json: return property.parse(text.asJSON)
        // A text that is present and empty is a value, unlike an empty CSV cell.
        case .text where text.isEmpty: if let empty = property.type.emptyValue { return .success(empty) }
        default: break
        }
        if case .cell = cell {} else { return property.parse(spelled) }
        return property.value(inCSV: spelled).map { $0.isNull ? property.valueWhenMissing : $0 }
    }

    func columnName(of property: String) -> String {
        columns.first { $0.property.name == property }?.name ?? model.property(property)?.label ?? property
    }
}

extension PropertySchema {
    /// The value for an empty cell: null if that is possible, and otherwise the default. Without a default it is
    /// null too, which the validation rejects.
    fileprivate var valueWhenMissing: FieldValue {
        isOptional || isMissingWithoutColumn ? .null : defaultValue
    }

    /// Indicates whether a report mentions that a record got this value as its default. The empty text, and no value,
    /// are what an empty cell means.
    fileprivate func isReported(asDefault value: FieldValue) -> Bool {
        !isOptional && makeDefault != nil && !value.isNull && value != type.emptyValue
    }
}

extension PropertyType {
    /// Indicates whether a file contains a text for this type, which may be the title of another record.
    fileprivate var isText: Bool {
        switch self {
        case .string, .toOne: true
        default: false
        }
    }
}

extension String {
    fileprivate var asJSON: String {
        let data = try? JSONEncoder().encode(self)  // a text is always encoded
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
