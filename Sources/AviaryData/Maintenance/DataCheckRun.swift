import AviaryDomain

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
        for line in try reader.referenceCheck(ofTable: table) { problems.add(.record("In \(table), \(line).")) }
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
