package import AviaryDomain
import Foundation

/// A check of the data that a store derives from its records: totals, text indexes, links, and the history.
///
/// It compares the records with the history, too. The check reads in slices, each in a read transaction of its own,
/// so that it blocks checkpoints of the write-ahead log only briefly and uses little memory. The result of each
/// slice is true for one committed state.
package struct DataCheck: Sendable {
    /// The number of rows in a slice.
    private static let sliceSize = 500
    /// The time limit of one slice. The longest slice counts a table's rows.
    private static let limit: Duration = .seconds(3_600)
    /// The number of attempts: each restore during the check starts it again.
    private static let mostBeginnings = 5

    let dataPath: String
    let schema: Schema
    let engine: any StoreEngine
    let excludedModels: Set<String>
    let workShare: Double
    let cancellationToken: CancellationToken
    let report: @Sendable (DataCheckProgress) -> Void

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - history: The policy that says which changes the program's history contains.
    ///   - workShare: The fraction of its time that the check works and does not pause for other work; 1 never
    ///     pauses.
    ///   - report: A function that receives the progress, on the thread that does the check.
    package init(
        data path: String, schema: Schema, history: HistoryPolicy, engine: any StoreEngine = StoreEngines.standard,
        workShare: Double = 1, cancellationToken: CancellationToken = CancellationToken(),
        report: @escaping @Sendable (DataCheckProgress) -> Void = { _ in }
    ) {
        dataPath = path
        self.schema = schema
        self.engine = engine
        excludedModels = history.excludingTransientModels.excludedModels
        self.workShare = workShare
        self.cancellationToken = cancellationToken
        self.report = report
    }

    /// Runs the whole check on a thread of its own.
    ///
    /// - Parameter isLowPriority: Indicates whether the check runs at a lower priority than everything else on the
    ///   machine.
    /// - Throws: ``StoreOpenError``, ``ReadError``, ``EngineError``, ``SnapshotError/Reason/interrupted``.
    package func run(isLowPriority: Bool = false) async throws -> DataCheckReport {
        try await BlockingWork.run(isLowPriority: isLowPriority) {
            guard try engine.hasStore(DataDirectory(found: dataPath)) else {
                throw StoreOpenError.missing(path: engine.name(of: DataDirectory(found: dataPath)))
            }
            return try check(DataDirectory(found: dataPath))
        }
    }

    private func check(_ directory: DataDirectory) throws -> DataCheckReport {
        let reader = try Reader(directory, engine: engine)
        defer { reader.connection.close() }
        let start = ContinuousClock.now
        for _ in 0..<Self.mostBeginnings {
            var run = DataCheckRun(
                tables: ModelTables(schema, engine.dialect), excludedModels: excludedModels, sliceSize: Self.sliceSize)
            do {
                try work(&run, reader)
            } catch is RestoredMeanwhile {
                continue
            }
            return DataCheckReport(
                endedAt: Date(), seconds: (ContinuousClock.now - start) / .seconds(1), records: run.records,
                entries: run.entries, problems: run.problems.listed, problemCount: run.problems.count,
                areAllDerived: run.problems.areAllDerived)
        }
        throw ReadError.storeBusy
    }

    private func work(_ run: inout DataCheckRun, _ reader: Reader) throws {
        var epoch: FieldValue?, isDone = false
        while !isDone {
            try cancellationToken.check()
            let start = ContinuousClock.now
            isDone = try reader.read(within: Self.limit, unless: cancellationToken) { connection in
                try connection.snapshot {
                    if epoch == nil {
                        try StoreLayout.checkIdentity(of: connection)
                        try StoreLayout.check(schema, againstFileOf: connection)
                    }
                    // The history is complete at the end of the long change.
                    guard try LongChange.read(from: connection) == nil else { throw ReadError.storeBusy }
                    let current = try MetaTable.value(.restoreEpoch, in: connection)
                    guard epoch == nil || epoch == current else { throw RestoredMeanwhile() }
                    epoch = current
                    return try run.slice(in: connection)
                }
            }
            report(run.progress)
            pause(after: ContinuousClock.now - start)
        }
    }

    /// Pauses so long that the check works for its share of the time.
    ///
    /// The pause is divided into steps, so that an interruption need not wait for its end.
    private func pause(after work: Duration) {
        guard workShare < 1 else { return }
        let end = ContinuousClock.now + max(.milliseconds(1), work * (1 / workShare - 1))
        while ContinuousClock.now < end, !cancellationToken.isRequested {
            let left = min((end - ContinuousClock.now) / .seconds(1), 0.1)
            if left > 0 { Thread.sleep(forTimeInterval: left) }
        }
    }

    private struct RestoredMeanwhile: Error {}
}

/// A file in the data directory with the results of data checks.
package struct DataCheckFile: DataCheckStorage {
    private let file: JSONFile<DataCheckState>

    package init(_ dataPath: String) {
        file = JSONFile(path: dataPath + "/data-check.json")
    }

    package func dataCheckState() -> DataCheckState? { file.read() }

    package func keep(_ state: DataCheckState?) throws {
        if let state { try file.write(state) } else { file.remove() }
    }
}

/// The state of a running data check: the remaining parts and the problems found.
struct DataCheckRun {
    private let tables: ModelTables
    private let excludedModels: Set<String>
    private let sliceSize: Int
    private var parts: [Part]
    /// The total number of records, for the progress; nil before the first slice.
    private var expected: Int?
    private(set) var records = 0
    private(set) var entries = 0
    private(set) var problems = DataProblems()

    private enum Part {
        case total(ModelTable)
        case references(String)
        /// The records of a table after an id, where the next slice begins.
        case records(ModelTable, after: String)
        case links(LinkTable, after: String)
        case words(SearchTable, after: String)
        case commits(after: Int64)
        case entries(after: Int64)
    }

    init(tables: ModelTables, excludedModels: Set<String>, sliceSize: Int) {
        self.tables = tables
        self.excludedModels = excludedModels
        self.sliceSize = sliceSize
        var parts: [Part] = tables.all.flatMap {
            [.total($0), .references($0.model.name), .records($0, after: "")]
        }
        parts += tables.links.flatMap { [.references($0.tableName), .links($0, after: "")] }
        parts += tables.search.tables.map { .words($0, after: "") }
        parts += [.commits(after: 0), .entries(after: 0)]
        // Parts are removed from the end.
        self.parts = parts.reversed()
    }

    var progress: DataCheckProgress {
        DataCheckProgress(records: records, entries: entries, expectedRecords: expected, problems: problems.count)
    }

    /// Checks the next slice in an open read transaction.
    ///
    /// - Returns: A Boolean value that indicates whether it was the last slice.
    mutating func slice(in connection: any Connection) throws -> Bool {
        if expected == nil {
            expected = try tables.all.reduce(0) { try $0 + RecordCountTable.count($1.model.name, in: connection) }
        }
        guard let part = parts.popLast() else { return true }
        let known = HistoryBounds(connection, excludedModels: excludedModels)
        switch part {
        case .total(let table): try checkTotal(of: table, in: connection)
        case .references(let table): try checkReferences(of: table, in: connection)
        case .records(let table, let id):
            let replay = try HistoryReplay(table, known, in: connection)
            let last = try forEachID(of: table.name, after: id, in: connection) { _ in }
            for record in try connection.rows(
                "SELECT \(table.selection) FROM \(table.name) WHERE id > ? AND id <= ? ORDER BY id",
                [.text(id), .text(last ?? "")], read: { try table.record($0) })
            {
                records += 1
                if let problem = try replay.problem(of: record) { problems.add(problem) }
                for (property, value) in zip(table.model.storedProperties, record.values) {
                    guard let reason = property.unreadableReason(of: value) else { continue }
                    problems.add(
                        .record(
                            "\(table.model.name) \(record.id.canonicalText): \(property.name) cannot be read: \(reason)."
                        ))
                }
            }
            if let last { parts.append(.records(table, after: last)) }
        case .links(let table, let id):
            guard let source = tables[table.relation.source.model],
                try connection.tableNames().contains(table.tableName)
            else { break }
            let replay = try LinkReplay(table, source, known, in: connection)
            var found: [DataProblem] = []
            let last = try forEachID(of: source.name, after: id, in: connection) {
                found += try replay.problems(of: $0)
            }
            for problem in found { problems.add(problem) }
            if let last { parts.append(.links(table, after: last)) }
        case .words(let table, let id):
            let (found, last) = try table.problems(after: id, atMost: sliceSize, in: connection)
            for problem in found { problems.add(problem) }
            if let last { parts.append(.words(table, after: last)) }
        case .commits(let number):
            let (found, last) = try CommitTable.problems(after: number, atMost: sliceSize, in: connection)
            for problem in found { problems.add(problem) }
            if let last { parts.append(.commits(after: last)) }
        case .entries(let number):
            let check = EntryCheck(tables: tables, known: known, connection: connection)
            let (found, count, last) = try check.problems(after: number, atMost: sliceSize)
            for problem in found { problems.add(problem) }
            entries += count
            if let last { parts.append(.entries(after: last)) }
        }
        return parts.isEmpty
    }

    private mutating func checkTotal(of table: ModelTable, in connection: any Connection) throws {
        let name = table.model.name
        // The file does not have the table of this model yet.
        guard try RecordCountTable.models(in: connection).contains(name) else {
            parts.removeAll { if case .records(let other, _) = $0 { other === table } else { false } }
            return
        }
        let total = try RecordCountTable.count(name, in: connection)
        let count = try connection.firstRow("SELECT count(*) FROM \(table.name)") { Int($0.integer(0)) } ?? 0
        guard total != count else { return }
        problems.add(.derived("The total of \(name) is \(total), and there are \(count) records."))
    }

    private mutating func checkReferences(of table: String, in connection: any Connection) throws {
        guard let reader = connection as? any ReaderConnection, try connection.tableNames().contains(table) else {
            return
        }
        if let file = reader.fileCheck {
            for line in try file.referenceCheck(ofTable: table) { problems.add(.record("In \(table), \(line).")) }
            return
        }
        let references = tables.storedReferences.filter { $0.model == table }
        guard let missing = try connection.missingReference(among: references) else { return }
        let text =
            missing.property.map { "row \(missing.row) refers by \($0) to a missing record." }
            ?? "a link refers to a missing record."
        problems.add(.record("In \(table), \(text)"))
    }

    /// Calls the body for the ids of the next slice.
    ///
    /// - Returns: The last id of the slice; nil after the last row.
    private func forEachID(
        of table: String, after id: String, in connection: any Connection, _ body: (String) throws -> Void
    ) throws -> String? {
        let ids = try connection.rows(
            "SELECT id FROM \(table) WHERE id > ? ORDER BY id LIMIT ?", [.text(id), .integer(Int64(sliceSize))]
        ) { $0.text(0) ?? "" }
        for id in ids { try body(id) }
        return ids.last
    }
}

/// A problem that a data check found, as a sentence without stored values.
struct DataProblem {
    let text: String
    /// Indicates whether the data can be rebuilt from the records.
    let isDerived: Bool

    static func derived(_ text: String) -> DataProblem { DataProblem(text: text, isDerived: true) }
    static func record(_ text: String) -> DataProblem { DataProblem(text: text, isDerived: false) }
}

struct DataProblems {
    /// The maximum number of listed problems. A longer list would not be more useful.
    private static let mostListed = 20

    private(set) var listed: [String] = []
    private(set) var count = 0
    private(set) var areAllDerived = true

    mutating func add(_ problem: DataProblem) {
        count += 1
        if !problem.isDerived { areAllDerived = false }
        if listed.count < Self.mostListed { listed.append(problem.text) }
    }
}
