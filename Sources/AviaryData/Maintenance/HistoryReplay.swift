import AviaryDomain
import Foundation

/// The commits from which on the history of each model is complete.
struct HistoryBounds {
    private let connection: any Connection
    private let excludedModels: Set<String>

    init(_ connection: any Connection, excludedModels: Set<String>) {
        self.connection = connection
        self.excludedModels = excludedModels
    }

    /// Returns the last commit that may have changed records without a history entry; nil if every commit may.
    func lastUnseen(_ model: String) throws -> Int64? {
        guard !excludedModels.contains(model) else { return nil }
        var last = try HistoryGaps.read(from: connection).lastGap(of: model)
        if case .integer(let barrier) = try MetaTable.value(.undoBarrier, in: connection) {
            last = last.map { max($0, barrier) }
        }
        return last
    }

    /// Returns the number of the first entry that is kept.
    func firstEntry() throws -> Int64 { try ChangeTable.firstNumber(in: connection) ?? .max }
}

/// A comparison of records with their history.
struct HistoryReplay {
    private let table: ModelTable
    private let connection: any Connection
    /// The last commit without entries; nil if the history cannot be compared.
    private let lastUnseen: Int64?
    private let firstEntry: Int64
    private let lastCommit: Int64

    init(_ table: ModelTable, _ known: HistoryBounds, in connection: any Connection) throws {
        self.table = table
        self.connection = connection
        lastUnseen = try known.lastUnseen(table.model.name)
        firstEntry = try known.firstEntry()
        guard let position = try StorePosition.read(from: connection) else {
            throw StoreOpenError.notAStore(path: connection.path)
        }
        lastCommit = position.commit
    }

    func problem(of record: Record) throws -> DataProblem? {
        let name = "\(table.model.name) \(record.id.canonicalText)"
        guard record.version <= lastCommit else {
            return .record("\(name) is of commit \(record.version), which is later than the last.")
        }
        guard let lastUnseen else { return nil }
        var problem: DataProblem?, isKnown = false
        var pending = Set(
            table.model.storedProperties.enumerated().filter { !$0.element.isSecret }.map { $0.element.name })
        do {
            try ChangeTable.forEachChange(of: record.id, table.model.name, in: connection) { change in
                guard !change.kind.isOfLink else { return true }
                guard change.commit > lastUnseen else {
                    isKnown = true
                    return false
                }
                if !isKnown {
                    isKnown = true
                    if change.kind == .delete {
                        problem = .record(
                            "\(name) is there, and the history says that commit \(change.commit) deleted it.")
                    } else if record.version < change.commit {
                        problem = .record(
                            "\(name) is older than commit \(change.commit), which the history says changed it.")
                    }
                    // A later change may be one that the history excludes.
                    guard problem == nil, record.version == change.commit else { return false }
                }
                for (property, field) in change.fields where pending.remove(property) != nil {
                    guard !field.isSecret, let index = table.model.storedIndex(of: property),
                        record.values.indices.contains(index), record.values[index] != field.after
                    else { continue }
                    problem = .record(
                        "\(name) has another \(property) than commit \(change.commit) left, and no later one changed it."
                    )
                    return false
                }
                return change.kind == .update && !pending.isEmpty
            }
        } catch is JSONError {
            // The check of the entries reports the unreadable one.
            return problem
        }
        if problem == nil, !isKnown, record.version > lastUnseen, try mustHaveEntry(of: record.version) {
            return .record("\(name) is of commit \(record.version), and the history has no entry of that.")
        }
        return problem
    }

    /// Indicates whether all entries of the commit are kept.
    private func mustHaveEntry(of commit: Int64) throws -> Bool {
        guard let numbers = try CommitTable.changes(of: commit, in: connection), !numbers.isEmpty else { return false }
        return try numbers.lowerBound >= firstEntry && CommitTable.unrecorded(by: commit, in: connection) == 0
    }
}

/// A comparison of the links of a relation with their history.
struct LinkReplay {
    /// The maximum number of entries that are read for one record. Older entries are not compared.
    private static let mostEntries = 100_000

    private let table: LinkTable
    private let source: ModelTable
    private let connection: any Connection
    private let lastUnseen: Int64?
    private let targets: String

    init(_ table: LinkTable, _ source: ModelTable, _ known: HistoryBounds, in connection: any Connection) throws {
        self.table = table
        self.source = source
        self.connection = connection
        lastUnseen = try known.lastUnseen(source.model.name)
        targets = "SELECT target FROM \(table.name) WHERE source = ?"
    }

    /// Returns the problems of a record's links.
    ///
    /// - Parameter id: The id of a record on the source's side.
    func problems(of id: String) throws -> [DataProblem] {
        guard let record = UUID(canonicalText: id) else { return [] }
        let found = Set(try connection.rows(targets, [.text(id)]) { $0.text(0) ?? "" })
        let name = "\(table.relation.name) of \(id)"
        var problems: [DataProblem] = []
        if table.relation.isSymmetric {
            for target in found where try !table.contains(LinkRow(source: target, target: id), in: connection) {
                problems.append(.record("\(name) has a link with \(target), and that has none with it."))
            }
        }
        guard let lastUnseen else { return problems }
        var expected: [String: Bool] = [:], count = 0
        do {
            try ChangeTable.forEachChange(of: record, source.model.name, in: connection) { change in
                count += 1
                guard change.commit > lastUnseen, count <= Self.mostEntries else { return false }
                // All links of a record are newer than its insertion.
                if change.kind == .insert { return false }
                if change.kind.isOfLink, let field = change.fields[table.relation.source.property],
                    case .text(let other) = change.kind == .link ? field.after : field.before, expected[other] == nil
                {
                    expected[other] = change.kind == .link
                }
                return true
            }
        } catch is JSONError {
            // The check of the entries reports the unreadable one.
            return problems
        }
        for (other, isThere) in expected.sorted(by: { $0.key < $1.key }) where found.contains(other) != isThere {
            problems.append(
                .record(
                    isThere
                        ? "\(name) has no link with \(other), which the history says it has."
                        : "\(name) has a link with \(other), which the history says it lost."))
        }
        return problems
    }
}

/// A check of history entries by themselves and against the records that should exist.
struct EntryCheck {
    private static let next = Query(
        #"SELECT number, "commit", model, record, kind, fields FROM aviary_change WHERE number > ? ORDER BY number LIMIT ?"#
    )
    private static let newest = Query { dialect in
        """
        SELECT kind FROM aviary_change WHERE record = ? AND \(dialect.withoutIndex("model")) = ? AND kind <= ? \
        ORDER BY number DESC LIMIT 1
        """
    }

    let tables: ModelTables
    let known: HistoryBounds
    let connection: any Connection

    func problems(after number: Int64, atMost limit: Int) throws -> ([DataProblem], count: Int, last: Int64?) {
        let entries = try connection.rows(Self.next, [.integer(number), .integer(Int64(limit))]) { row in
            (
                number: row.integer(0), commit: row.integer(1), model: row.text(2) ?? "", record: row.text(3) ?? "",
                kind: RecordChange.Kind(rawValue: row.integer(4)), fields: row.text(5) ?? ""
            )
        }
        var problems: [DataProblem] = [], lastUnseen: [String: Int64?] = [:], commits: [Int64: Range<Int64>] = [:]
        for entry in entries {
            // The error would repeat values.
            guard let kind = entry.kind, (try? JSONReader.fields(entry.fields, kind)) != nil else {
                problems.append(.record("Entry \(entry.number) of the history cannot be read."))
                continue
            }
            if commits[entry.commit] == nil {
                commits[entry.commit] = try CommitTable.changes(of: entry.commit, in: connection) ?? 0..<0
            }
            if commits[entry.commit]?.contains(entry.number) != true {
                problems.append(.record("Entry \(entry.number) of the history is of no commit that has it."))
            }
            guard !kind.isOfLink, kind != .delete, let table = tables[entry.model] else { continue }
            if lastUnseen[entry.model] == nil { lastUnseen[entry.model] = .some(try known.lastUnseen(entry.model)) }
            guard let seen = lastUnseen[entry.model] ?? nil, entry.commit > seen,
                try connection.firstRow(table.find, [.text(entry.record)], read: { _ in true }) == nil
            else { continue }
            let newest = try connection.firstRow(
                Self.newest,
                [.text(entry.record), .text(entry.model), .integer(RecordChange.Kind.delete.rawValue)]
            ) { $0.integer(0) }
            guard newest != RecordChange.Kind.delete.rawValue else { continue }
            problems.append(
                .record("\(entry.model) \(entry.record) is gone, and the history does not say that it was deleted."))
        }
        return (problems, entries.count, entries.last?.number)
    }
}

extension JSONReader {
    fileprivate static func fields(_ text: String, _ kind: RecordChange.Kind) throws -> [String: FieldChange] {
        var reader = JSONReader(Array(text.utf8))
        return try reader.fieldChanges(kind)
    }
}

extension CommitTable {
    private static let next = Query(
        "SELECT number, first_change, changes FROM aviary_commit WHERE number > ? ORDER BY number LIMIT ?")
    private static let entries = Query(
        #"SELECT count(*) FROM aviary_change WHERE number >= ? AND number < ? AND "commit" = ?"#)

    /// Returns the commits that lack entries.
    ///
    /// The oldest commit may lack some entries, because the history removes the oldest ones.
    static func problems(after number: Int64, atMost limit: Int, in connection: any Connection) throws -> (
        [DataProblem], last: Int64?
    ) {
        let start = try ChangeTable.firstNumber(in: connection) ?? .max
        let commits = try connection.rows(next, [.integer(number), .integer(Int64(limit))]) {
            (number: $0.integer(0), first: $0.integer(1), count: $0.integer(2))
        }
        var problems: [DataProblem] = []
        for commit in commits where commit.count > 0 && commit.first >= start {
            let found = try connection.firstRow(
                entries,
                [.integer(commit.first), .integer(commit.first + commit.count), .integer(commit.number)]
            ) { $0.integer(0) }
            if found != commit.count {
                problems.append(
                    .record("Commit \(commit.number) has \(commit.count) entries, and the history has \(found ?? 0)."))
            }
        }
        return (problems, commits.last?.number)
    }
}
