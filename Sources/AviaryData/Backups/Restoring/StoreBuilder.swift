import AviaryDomain
import Foundation

/// A builder of a complete store file from records in any order.
///
/// No other connection reads the file before it is finished, so it is written without flushes.
final class StoreBuilder {
    let tables: ModelTables
    private let connection: any WriterConnection
    private let sortIndexes: Set<SortIndex>
    private var fillings: [String: TableFilling] = [:]
    /// The last table that was written to. Most records are of the same model as the one before them.
    private var lastFilling: (table: ModelTable, filling: TableFilling)?
    private(set) var linkCounts: [String: Int] = [:]
    private(set) var logCounts: [SnapshotLogRow.Table: Int] = [:]
    private var logInserts: [SnapshotLogRow.Table: any PreparedStatement] = [:]
    /// The size of the history's entries, in bytes.
    private var historySize = 0
    /// The indexes to create after all records are inserted, which is faster than updating them for each record.
    private var postponedIndexes: [IndexDefinition] = []
    /// The names of the secrets that the snapshot does not contain.
    private var withheld: Set<String> = []
    private var lastWithheld: (model: String, columns: [Int]) = ("", [])

    init(path: String, schema: Schema, sortIndexes: [SortIndex], engine: any StoreEngine) throws {
        tables = ModelTables(schema, engine.dialect)
        self.sortIndexes = Set(sortIndexes)
        connection = try engine.createStore(at: path)
        try StoreLayout(tables: tables, sortIndexes: []).install(in: connection)
        // Like the other indexes, those of the texts are created at the end, from all records at once.
        try tables.search.removeAll(in: connection)
        try postponeIndexes()
        for table in tables.all {
            fillings[table.model.name] = TableFilling(try connection.statement(table.insertAtLine))
        }
        for table in SnapshotLogRow.Table.allCases { logInserts[table] = try connection.statement(table.insert) }
        _ = try connection.beginWriting()
    }

    /// The number of records of each model that has any.
    var counts: [String: Int] { fillings.mapValues(\.count).filter { $0.value > 0 } }

    /// Inserts a record.
    ///
    /// - Parameter line: The line's number. It becomes the row's number, so that errors found only at the end can
    ///   name the line.
    func insert(_ record: SnapshotRecord, line: Int) throws {
        guard let filling = filling(of: record.table) else { throw SnapshotError(.unknownModel, line: line) }
        try filling.insert.bind(record.row, from: 1)
        try filling.insert.bind(.integer(Int64(line)), at: record.row.count + 1)
        do {
            try filling.insert.execute()
        } catch {
            guard error.kind == .constraint else { throw error }
            throw SnapshotError(.duplicate(model: record.table.model.name), line: line)
        }
        filling.count += 1
        if !record.withheld.isEmpty { note(record) }
    }

    private func filling(of table: ModelTable) -> TableFilling? {
        if let lastFilling, lastFilling.table === table { return lastFilling.filling }
        guard let filling = fillings[table.model.name] else { return nil }
        lastFilling = (table, filling)
        return filling
    }

    /// Notes the record's withheld secrets.
    ///
    /// A snapshot contains all secrets of a model or none, so this is the same for most records.
    private func note(_ record: SnapshotRecord) {
        guard lastWithheld != (record.table.model.name, record.withheld) else { return }
        lastWithheld = (record.table.model.name, record.withheld)
        withheld.formUnion(record.withheld.map(record.table.secretName))
    }

    func insert(_ link: SnapshotLink, line: Int) throws {
        let relation = link.table.relation
        do {
            try link.table.add(link.link, in: connection)
        } catch {
            guard error.kind == .constraint else { throw error }
            throw SnapshotError(
                .duplicateLink(model: relation.source.model, property: relation.source.property), line: line)
        }
        linkCounts[relation.name, default: 0] += 1
    }

    func insert(_ row: SnapshotLogRow, line: Int) throws {
        guard let insert = logInserts[row.table] else { return }
        try insert.bind(row.row, from: 1)
        do {
            try insert.execute()
        } catch {
            guard error.kind == .constraint else { throw error }
            throw SnapshotError(.duplicate(model: row.table.tableName), line: line)
        }
        historySize += row.historySize
        logCounts[row.table, default: 0] += 1
    }

    /// Runs the checks that need all records, and completes the file.
    func finish(commit: Int64, _ log: SnapshotLog? = nil) throws {
        for (model, count) in counts { try RecordCountTable.add(count, to: model, in: connection) }
        try StorePosition(commit: commit, nextChange: log?.nextChange ?? 1, historySize: historySize)
            .write(to: connection)
        if let barrier = log?.undoBarrier { try MetaTable.set(.undoBarrier, to: .integer(barrier), in: connection) }
        if let gaps = log?.historyGaps { try MetaTable.set(.historyGaps, to: .text(gaps), in: connection) }
        guard try HistoryEntries(connection).areComplete() else { throw SnapshotError(.incompleteHistory) }
        try PreservedSecrets.note(withheld, in: connection)
        for table in tables.all {
            if let statement = connection.dialect.continueNumbering(of: table.name) { try connection.run(statement) }
        }
        try connection.commit()
        try createPostponedIndexes()
        if let error = try missingReference() { throw error }
        try StoreLayout(tables: tables, sortIndexes: sortIndexes).install(in: connection)
        lastFilling = nil
        fillings.removeAll()
        logInserts.removeAll()
        connection.close()
    }

    private func postponeIndexes() throws {
        postponedIndexes = try connection.indexes()
        for index in postponedIndexes { try connection.run("DROP INDEX \(connection.dialect.name(index.name))") }
    }

    private func createPostponedIndexes() throws {
        for index in postponedIndexes {
            do {
                try connection.run(index.creation)
            } catch {
                guard error.kind == .constraint else { throw error }
                throw try notUnique() ?? SnapshotError(.duplicate(model: CommitTable.name))
            }
        }
    }
}

extension StoreBuilder {
    /// Returns an error for the first record that repeats a unique value of an earlier one.
    private func notUnique() throws -> SnapshotError? {
        for table in tables.all {
            for properties in table.model.uniqueConstraints {
                let columns = properties.map(connection.dialect.name)
                let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
                let sql =
                    "SELECT min(later) FROM (SELECT max(\(connection.dialect.rowNumber)) AS later FROM \(table.name) "
                    + "WHERE \(present) GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1) AS repeated"
                let line = try connection.firstRow(sql) { $0.isNull(0) ? nil : Int($0.integer(0)) } ?? nil
                guard let line else { continue }
                return SnapshotError(
                    .notUnique(model: table.model.name, property: TextFormatter.list(properties)), line: line)
            }
        }
        return nil
    }

    private func missingReference() throws -> SnapshotError? {
        guard let found = try connection.missingReference(in: tables) else { return nil }
        if let source = tables.links.first(where: { $0.tableName == found.model })?.relation.source {
            return SnapshotError(.missingLinkEnd(model: source.model, property: source.property))
        }
        return SnapshotError(
            .missingReference(model: found.model, property: found.property ?? "reference"), line: found.row)
    }
}

extension ModelTable {
    fileprivate var insertAtLine: String {
        "INSERT INTO \(name) (\(selection), \(dialect.rowNumber)) VALUES (\(SQL.placeholders(columns.count + 3)))"
    }
}

/// A table into which records are inserted.
private final class TableFilling {
    let insert: any PreparedStatement
    var count = 0

    init(_ insert: any PreparedStatement) {
        self.insert = insert
    }
}
