/// Turns a file of records into new and changed records of a model.
///
/// ```swift
/// let penguins = RecordImport(
///     model: Animal.schema, schema: schema,
///     mapping: [try FieldMapping(parsing: "name=Individual ID"), try FieldMapping(parsing: "category=Species")],
///     createRelated: true
/// )
/// let report = try await penguins.run(CSVSource(bytes), lookUp: store) { batch in try await submit(batch) }
/// ```
package struct RecordImport: Sendable {
    /// Records that are stored together: a change set of a size that the store takes in well.
    package static let batchSize = 500
    /// Of a batch's texts, in bytes.
    static let batchBytes = 4 << 20
    /// After so many lines it is told how far it has come.
    private static let reportedLines = 256

    let model: ModelSchema
    let schema: Schema
    let mapping: [FieldMapping]
    let nullMarkers: Set<String>
    let createRelated: Bool
    let match: ImportMatch
    let limits: Limits

    /// How much of a file there may be; without a bound where whoever imports has a process of their own.
    package struct Limits: Sendable {
        /// Records of the file: of each something is kept until its end, to know whether values are unique.
        package var records = Int.max
        /// Records that are stored together, where they may need each other.
        package var together = Int.max

        package init(records: Int = .max, together: Int = .max) {
            self.records = records
            self.together = together
        }
    }

    /// - Parameters:
    ///   - mapping: Empty: every column that is named like a property (or its label, in any case) fills it, and one that is
    ///     named `id` gives the records their ids.
    ///   - nullMarkers: Texts that stand for no value, as an empty cell does, such as `NA`.
    ///   - createRelated: Whether a record that a reference names by its title, and that does not exist, is made.
    ///   - match: By what records are known that are there already: these are changed, and keep what the file does not name.
    package init(
        model: ModelSchema, schema: Schema, mapping: [FieldMapping] = [], nullMarkers: Set<String> = [],
        createRelated: Bool = false, match: ImportMatch = .none,
        limits: Limits = Limits()
    ) {
        self.model = model
        self.schema = schema
        self.mapping = mapping
        self.nullMarkers = nullMarkers
        self.createRelated = createRelated
        self.match = match
        self.limits = limits
    }

    /// What importing the file would store, all of it in memory. Nothing is planned unless every line is good.
    ///
    /// - Throws: ``ImportError``, or what `lookUp` throws.
    package func plan(_ bytes: [UInt8], lookUp: some RecordLookUp) async throws -> ImportPlan {
        var planner = try planner(for: CSVSource(bytes))
        try await read(CSVSource(bytes), behind: 0, into: &planner, lookUp: lookUp) { _ in }
        try planner.finish()
        return planner.take()
    }

    /// Looks at every line and stores nothing.
    ///
    /// - Parameters:
    ///   - line: The lines up to this one are stored already, and passed over.
    ///   - report: Told now and then how far it has come.
    /// - Throws: ``ImportError``, or what the file and `lookUp` throw.
    package func check(
        _ source: some ImportSource, behind line: Int = 0, lookUp: some RecordLookUp,
        report: (ImportProgress) async -> Void = { _ in }
    ) async throws -> ImportReport {
        var planner = try planner(for: source)
        var lines = 0
        try await read(source, behind: line, into: &planner, lookUp: lookUp) { planner in
            planner.forget()
            lines += 1
            if lines.isMultiple(of: Self.reportedLines) { await report(ImportProgress(.checking, done: lines)) }
        }
        try planner.finish()
        return planner.report
    }

    /// Looks at every line first, and stores the records only when all are good, in batches: however long the file is, no more
    /// than one of these is in memory.
    ///
    /// Where records of the file may need each other (the model refers to itself, or a relation asks for a number of
    /// records), all are one batch.
    ///
    /// - Parameters:
    ///   - stored: What is stored already: its lines are passed over, and the answer has it, too.
    ///   - line: With which the first batch ends, neither before nor behind: so it is the one that was sent before.
    ///   - report: Told now and then how far it has come.
    ///   - store: Stores the batch, whole or not at all.
    /// - Throws: ``ImportError``, ``ImportInterruption`` when a batch was not stored or is not known to be, or what the file and
    ///   `lookUp` throw.
    package func run(
        _ source: some ImportSource, behind stored: ImportReport = ImportReport(), firstBatchTo line: Int? = nil,
        lookUp: some RecordLookUp,
        report: (ImportProgress) async -> Void = { _ in }, store: (ImportPlan) async throws -> Receipt
    ) async throws -> ImportReport {
        let beginning = stored.lastLine
        let total =
            try await check(source, behind: beginning, lookUp: lookUp, report: report).lineCount + stored.lineCount
        var planner = try planner(for: source)
        var stored = stored
        do {
            var lines = 0
            try await read(source, behind: beginning, into: &planner, lookUp: lookUp) { planner in
                lines += 1
                if lines.isMultiple(of: Self.reportedLines) {
                    await report(ImportProgress(.storing, done: lines, of: total))
                }
                guard planner.isBatchFull(firstTo: line) else { return }
                let plan = planner.take()
                stored.add(plan.report, storedBy: plan.changes.isEmpty ? nil : try await store(plan))
            }
            try planner.finish()
            let last = planner.take()
            stored.add(last.report, storedBy: last.changes.isEmpty ? nil : try await store(last))
        } catch {
            guard stored.lineCount > 0 || (error as? StoreError) == .unanswered else { throw error }
            throw ImportInterruption(stored: stored, reason: error)
        }
        return stored
    }

    func planner(for source: some ImportSource) throws -> ImportPlanner {
        let header = try source.columns()
        let columns = try columns(named: header, hasLinksOnBothSides: source.hasLinksOnBothSides)
        let ids = try idColumn(named: header).map { try IDColumn(index: $0, model: model, source: source) }
        try checkMatch(columns: columns, hasIDs: ids != nil)
        return ImportPlanner(columns: columns, ids: ids, import: self)
    }

    /// - Parameter afterEach: Called behind each line, with what is planned so far.
    private func read(
        _ source: some ImportSource, behind line: Int, into planner: inout ImportPlanner, lookUp: some RecordLookUp,
        afterEach: (inout ImportPlanner) async throws -> Void
    ) async throws {
        var reader = try source.records()
        while let result = try reader.next() {
            switch result {
            case .success(let record): if record.line > line { try await planner.add(record, lookUp: lookUp) }
            case .failure(let problem):
                if problem.line > line { planner.problems.add(problem.message, on: problem.line) }
            }
            try await afterEach(&planner)
        }
    }

    private func checkMatch(columns: [MappedColumn], hasIDs: Bool) throws(ImportError) {
        switch match {
        case .none: break
        case .id: guard hasIDs else { throw .unmatched(property: "id") }
        case .property(let name):
            guard try property(name).isUnique else { throw .notUnique(property: name, model: model.name) }
            guard columns.contains(where: { $0.property.name == name }) else { throw .unmatched(property: name) }
        }
    }
}

/// The assignment of a CSV file's columns to properties.
package struct FieldMapping: Sendable, Hashable {
    package let property: String
    package let column: String

    package init(property: String, column: String) {
        self.property = property
        self.column = column
    }

    /// Reads `property=Column`, such as `name=Individual ID`. A column's name may hold further equals signs.
    ///
    /// - Throws: ``ImportError/malformedMapping``.
    package init(parsing text: String) throws(ImportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { throw .malformedMapping }
        self.init(property: String(parts[0]), column: String(parts[1]))
    }
}

/// The key by which an import recognizes existing records.
package enum ImportMatch: Sendable, Hashable {
    /// All are new.
    case none
    case id
    /// A unique property.
    case property(String)

    /// `id`, or a property's name.
    package init(named name: String) {
        self = name == "id" ? .id : .property(name)
    }
}

/// The beginning of a file as it would be imported, with its problems.
package struct ImportPreview: Sendable {
    package let columns: [String]
    /// The first records, as the file has them.
    package let rows: [ImportRecord]
    package let problems: [LineProblem]
    /// Problems beside those.
    package let moreProblems: Int
    /// So many of the lines that were looked at have a problem.
    package let wrongLines: Int
    package let lines: Int
    /// The error that prevents the import of the whole file; nil when there is none.
    package let error: ImportError?
    /// The counts of the lines that were read.
    package let report: ImportReport
    /// A Boolean value that indicates whether all lines of the file were read.
    package let isWhole: Bool
}

extension RecordImport {
    /// Looks at the beginning of a file and stores nothing.
    ///
    /// - Parameters:
    ///   - lines: How many records are looked at.
    ///   - shown: How many of them are in the answer.
    /// - Throws: ``ImportError`` where the file has no columns; what the file and `lookUp` throw.
    package func preview(
        _ source: some ImportSource, lookUp: some RecordLookUp, lines: Int, shown: Int
    ) async throws -> ImportPreview {
        let columns = try source.columns()
        var rows: [ImportRecord] = []
        var reader = try source.records()
        var planner: ImportPlanner?
        var mappingError: ImportError?
        do {
            planner = try self.planner(for: source)
        } catch let error as ImportError {
            mappingError = error
        }
        var count = 0
        var isWhole = false
        while count < lines {
            guard let result = try reader.next() else {
                isWhole = true
                break
            }
            count += 1
            switch result {
            case .success(let record):
                if rows.count < shown { rows.append(record) }
                try await planner?.add(record, lookUp: lookUp)
            case .failure(let problem):
                planner?.problems.add(problem.message, on: problem.line)
            }
            planner?.forget()
        }
        // What only the end shows is known only there.
        if isWhole { planner?.noteCounts() }
        let problems = planner?.problems ?? LineProblems()
        return ImportPreview(
            columns: columns, rows: rows, problems: problems.sorted,
            moreProblems: problems.count - problems.first.count,
            wrongLines: problems.lineCount, lines: count, error: mappingError,
            report: planner?.report ?? ImportReport(), isWhole: isWhole
        )
    }

    /// Returns for each column the property that its name suggests, or `id`; nil for a column to leave out.
    package func suggestion(for columns: [String]) -> [String?] {
        let matching = matchingColumns(named: columns)
        var taken: Set<String> = []
        return columns.enumerated().map { index, name in
            if name == Self.idName { return taken.insert(name).inserted ? name : nil }
            guard let property = matching.first(where: { $0.index == index })?.property.name else { return nil }
            return taken.insert(property).inserted ? property : nil
        }
    }

    /// The properties that a file may fill.
    package static func fillable(of model: ModelSchema, in schema: Schema) -> [PropertySchema] {
        RecordImport(model: model, schema: schema).fillable
    }
}
