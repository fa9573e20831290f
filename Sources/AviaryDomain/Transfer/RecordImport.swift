import Foundation

/// An import of a file of records, which creates and changes records of a model.
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
    /// The number of records per batch: a change set of a size that the store processes well.
    package static let batchSize = 500
    /// The size of the texts of a batch, in bytes, at which the batch ends.
    static let batchBytes = 4 << 20
    /// The number of lines between two reports of progress.
    private static let reportedLines = 256
    /// The largest number of wrong lines that an import leaves out. Beyond it, the file hardly fits the model.
    package static let mostRejected = 100_000
    /// The largest number of passes over a file whose lines depend on each other. Each pass leaves out the lines that
    /// need a line of an earlier pass.
    private static let mostPasses = 20

    package let model: ModelSchema
    let schema: Schema
    let mapping: [FieldMapping]
    let mapsByName: Bool
    let nullMarkers: Set<String>
    let createRelated: Bool
    let match: ImportMatch
    let constants: [FieldConstant]
    let skipsDuplicates: Bool
    let skipsErrors: Bool
    let limits: Limits

    /// The size limits of a file; without limits for an import in a process of its own.
    package struct Limits: Sendable {
        /// The largest number of values that the import keeps in memory until the end: those that must be unique, and
        /// the titles of other records, each of which counts as ten.
        package var values = Int.max
        /// The largest number of records in one batch, for files whose records may refer to each other.
        package var together = Int.max

        package init(values: Int = .max, together: Int = .max) {
            self.values = values
            self.together = together
        }
    }

    /// Creates an import.
    ///
    /// - Parameters:
    ///   - model: The model whose records to import.
    ///   - schema: The schema of the application.
    ///   - mapping: The columns of properties. With `mapsByName`, an empty name leaves the property without a column.
    ///   - mapsByName: A Boolean value that indicates whether a column that `mapping` does not contain fills the
    ///     property of its name (or its label, without regard to case), and a column `id` contains the ids of the
    ///     records; nil if it does so only without a mapping.
    ///   - nullMarkers: Texts such as `NA` that represent no value, like an empty cell.
    ///   - createRelated: A Boolean value that indicates whether to create a missing record that a reference names by
    ///     its title.
    ///   - match: The key of existing records. The import changes these, and keeps the values that the file does not
    ///     contain.
    ///   - constants: The values that a property gets in all lines.
    ///   - skipsDuplicates: A Boolean value that indicates whether to leave out the lines whose record exists: one
    ///     that `match` finds, and one with the same id or unique value.
    ///   - skipsErrors: A Boolean value that indicates whether to leave out wrong lines. Otherwise one wrong line
    ///     prevents the import.
    ///   - limits: The size limits of the file.
    package init(
        model: ModelSchema, schema: Schema, mapping: [FieldMapping] = [], mapsByName: Bool? = nil,
        nullMarkers: Set<String> = [],
        createRelated: Bool = false, match: ImportMatch = .none, constants: [FieldConstant] = [],
        skipsDuplicates: Bool = false, skipsErrors: Bool = false, limits: Limits = Limits()
    ) {
        self.model = model
        self.schema = schema
        self.mapping = mapping
        self.mapsByName = mapsByName ?? mapping.isEmpty
        self.nullMarkers = nullMarkers
        self.createRelated = createRelated
        self.match = match
        self.constants = constants
        self.skipsDuplicates = skipsDuplicates
        self.skipsErrors = skipsErrors
        self.limits = limits
    }

    /// Returns the changes of an import without storing them. The file is in memory, and every line must be valid.
    ///
    /// - Throws: ``ImportError``; the errors of `lookUp`.
    package func plan(_ bytes: [UInt8], lookUp: some RecordLookup) async throws -> ImportPlan {
        var planner = try planner(for: CSVSource(bytes))
        try await read(CSVSource(bytes), behind: 0, into: &planner, lookUp: lookUp) { _ in }
        try planner.finish()
        return planner.take()
    }

    /// Checks every line and stores nothing.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - line: The last line that is already stored. The check skips the lines up to it.
    ///   - lookUp: The stored records.
    ///   - report: A closure that is called from time to time with the progress. An error ends the check.
    ///   - reject: A closure that is called with the wrong lines when the import leaves some out.
    /// - Throws: ``ImportError``; the errors of the file, of `lookUp` and of the closures.
    package func check(
        _ source: some ImportSource, behind line: Int = 0, lookUp: some RecordLookup,
        report: (ImportProgress) async throws -> Void = { _ in },
        reject: (RejectedRecords) async throws -> Void = { _ in }
    ) async throws -> ImportReport {
        let (stored, rejected) = try await checked(source, behind: line, lookUp: lookUp, report: report)
        if !rejected.reasons.isEmpty { try await reject(rejected) }
        return stored
    }

    /// Checks every line, as often as lines that are left out make others wrong.
    private func checked(
        _ source: some ImportSource, behind line: Int, lookUp: some RecordLookup,
        report: (ImportProgress) async throws -> Void
    ) async throws -> (report: ImportReport, rejected: RejectedRecords) {
        var rejected = RejectedRecords()
        for _ in 0..<Self.mostPasses {
            var planner = try planner(for: source, leavingOut: rejected.lines)
            var lines = 0
            try await read(
                source, behind: line, leavingOut: rejected.lines, into: &planner, lookUp: lookUp
            ) { planner in
                planner.forget()
                lines += 1
                if lines.isMultiple(of: Self.reportedLines) { try await report(ImportProgress(.checking, done: lines)) }
            }
            guard skipsErrors else {
                try planner.finish()
                return (planner.report, rejected)
            }
            planner.noteCounts()
            rejected.add(planner.problems)
            guard planner.areLinesTogether, planner.problems.count > 0 else {
                var report = planner.report
                report.rejected = rejected.reasons.count
                return (report, rejected)
            }
        }
        throw ImportError.tooManyRejected(limit: rejected.reasons.count)
    }

    /// Checks every line first, and stores the records in batches only if all lines are valid, or are left out. Memory
    /// holds at most one batch, however long the file is.
    ///
    /// If records of the file may refer to each other (the model refers to itself, or a relation has bounds for the
    /// number of records), all records are one batch.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - stored: The report of the part that is already stored. The import skips its lines, and the result
    ///     includes it.
    ///   - line: The last line of the first batch, so that the batch equals one that was sent before; nil to decide
    ///     by size.
    ///   - lookUp: The stored records.
    ///   - report: A closure that is called from time to time with the progress. An error ends the import.
    ///   - reject: A closure that is called with the wrong lines, before anything is stored, when the import leaves
    ///     some out.
    ///   - store: A closure that stores a batch, all or nothing.
    /// - Throws: ``ImportError``; ``ImportInterruption`` when a batch was not stored, or may not have been; the
    ///   errors of the file, of `lookUp` and of the closures.
    package func run(
        _ source: some ImportSource, behind stored: ImportReport = ImportReport(), firstBatchTo line: Int? = nil,
        lookUp: some RecordLookup,
        report: (ImportProgress) async throws -> Void = { _ in },
        reject: (RejectedRecords) async throws -> Void = { _ in }, store: (ImportPlan) async throws -> Receipt
    ) async throws -> ImportReport {
        let beginning = stored.lastLine
        let (expected, rejected) = try await checked(source, behind: beginning, lookUp: lookUp, report: report)
        if !rejected.reasons.isEmpty { try await reject(rejected) }
        let total = expected.lineCount + stored.lineCount
        var planner = try planner(for: source, leavingOut: rejected.lines)
        var stored = stored
        do {
            var lines = 0
            try await read(
                source, behind: beginning, leavingOut: rejected.lines, into: &planner, lookUp: lookUp
            ) { planner in
                lines += 1
                if lines.isMultiple(of: Self.reportedLines) {
                    try await report(ImportProgress(.storing, done: lines, of: total))
                }
                guard planner.isBatchFull(firstTo: line) else { return }
                let plan = planner.take()
                stored.add(plan.report, storedBy: plan.changes.isEmpty ? nil : try await store(plan))
                lookUp.forgetPrepared()
            }
            // If a line has become invalid since the check, the last batch is not stored, and the problems say why.
            try planner.finish()
            let last = planner.take()
            stored.add(last.report, storedBy: last.changes.isEmpty ? nil : try await store(last))
        } catch {
            guard stored.lineCount > 0 || (error as? StoreError) == .unanswered else { throw error }
            throw ImportInterruption(stored: stored, reason: error)
        }
        stored.rejected += rejected.reasons.count
        return stored
    }

    func planner(for source: some ImportSource, leavingOut rejected: Set<Int> = []) throws -> ImportPlanner {
        let header = try source.columns()
        let columns = try columns(named: header, hasLinksOnBothSides: source.hasLinksOnBothSides)
        let ids = try idColumn(named: header).map {
            try IDColumn(index: $0, model: model, source: source, leavingOut: rejected)
        }
        try checkMatch(columns: columns, hasIDs: ids != nil)
        return ImportPlanner(columns: columns, ids: ids, import: self)
    }

    /// Reads the records of a file into a planner.
    ///
    /// - Parameters:
    ///   - rejected: The lines that are left out.
    ///   - afterEach: A closure that is called after each line, with the planner.
    private func read(
        _ source: some ImportSource, behind line: Int, leavingOut rejected: Set<Int> = [],
        into planner: inout ImportPlanner, lookUp: some RecordLookup,
        afterEach: (inout ImportPlanner) async throws -> Void
    ) async throws {
        lookUp.forgetPrepared()
        var reader = try source.records()
        while let result = try reader.next() {
            switch result {
            case .success(let record):
                if record.line > line, !rejected.contains(record.line) { try await planner.add(record, lookUp: lookUp) }
            case .failure(let problem):
                if problem.line > line, !rejected.contains(problem.line) {
                    planner.problems.add(problem.message, on: problem.line)
                }
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

    /// Parses `property=Column`, such as `name=Individual ID`, or `property=` for a property that no column fills.
    /// The name of a column may contain further equals signs.
    ///
    /// - Throws: ``ImportError/malformedMapping``.
    package init(parsing text: String) throws(ImportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw .malformedMapping }
        // The names of columns have no blanks around them.
        let column = parts[1].trimmingCharacters(in: .whitespaces)
        self.init(property: String(parts[0]), column: column.isEmpty ? String(parts[1]) : column)
    }
}

/// A value that a property gets in all lines of a file.
package struct FieldConstant: Sendable, Hashable {
    package let property: String
    package let value: String

    package init(property: String, value: String) {
        self.property = property
        self.value = value
    }

    /// Parses `property=value`, such as `diet=herbivorous`. The value may be empty and may contain equals signs.
    ///
    /// - Throws: ``ImportError/malformedMapping``.
    package init(parsing text: String) throws(ImportError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { throw .malformedMapping }
        self.init(property: String(parts[0]), value: String(parts[1]))
    }
}

/// The key by which an import recognizes existing records.
package enum ImportMatch: Sendable, Hashable {
    /// No key: all records are new.
    case none
    case id
    /// A unique property.
    case property(String)

    /// Creates a key from `id` or the name of a property.
    package init(named name: String) {
        self = name == "id" ? .id : .property(name)
    }
}

/// The beginning of a file as it would be imported, with its problems.
package struct ImportPreview: Sendable {
    package let columns: [String]
    /// The first records, as they are in the file.
    package let rows: [ImportRecord]
    package let problems: [LineError]
    /// The number of further problems.
    package let moreProblems: Int
    /// All problems by their message and value.
    package let summary: ProblemSummary
    /// The number of checked lines that have a problem.
    package let wrongLines: Int
    package let lines: Int
    /// The error that prevents the import of the whole file; nil when there is none.
    package let error: ImportError?
    /// The counts of the lines that were read.
    package let report: ImportReport
    /// Indicates whether all lines of the file were read.
    package let isWhole: Bool
}

extension RecordImport {
    /// Checks the beginning of a file and stores nothing.
    ///
    /// - Parameters:
    ///   - source: The file.
    ///   - lookUp: The stored records.
    ///   - lines: The number of records to check.
    ///   - shown: The number of records in the result.
    /// - Throws: ``ImportError`` when the file has no columns; the errors of the file and of `lookUp`.
    package func preview(
        _ source: some ImportSource, lookUp: some RecordLookup, lines: Int, shown: Int
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
        // The final counts are only known when the whole file has been read.
        if isWhole { planner?.noteCounts() }
        let problems = planner?.problems ?? LineProblems()
        return ImportPreview(
            columns: columns, rows: rows, problems: problems.sorted,
            moreProblems: problems.count - problems.first.count, summary: ProblemSummary(problems.groups),
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

    /// Returns the properties that a column of a file can fill.
    package static func fillable(of model: ModelSchema, in schema: Schema) -> [PropertySchema] {
        RecordImport(model: model, schema: schema).fillable
    }
}
