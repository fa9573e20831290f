import AviaryDomain
import CSQLite
import Foundation

/// Builds a complete store file from records in any order. Nobody else sees the file before it is finished, so it is
/// written without a journal and without flushes.
final class StoreBuilder {
    private static let cacheSizeInKibibytes = 16_000

    let tables: ModelTables
    private let connection: Connection
    private let sortIndexes: Set<SortIndex>
    private var inserts: [String: Statement] = [:]
    /// Made when all records are in, which is quicker than keeping them up to date.
    private var postponedIndexes: [String] = []
    private(set) var counts: [String: Int] = [:]

    init(path: String, schema: Schema, sortIndexes: [SortIndex]) throws {
        tables = ModelTables(schema)
        self.sortIndexes = Set(sortIndexes)
        connection = try Connection(
            path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, busyTimeoutInMilliseconds: 0
        )
        guard chmod(path, 0o600) == 0 else { throw FileError.unwritable(path) }
        // The live store's file takes over every page of this one, settings included.
        try connection.set("auto_vacuum", to: "INCREMENTAL", readingBack: "2")
        try connection.set("journal_mode", to: "OFF")
        try connection.set("synchronous", to: "OFF", readingBack: "0")
        try connection.set("foreign_keys", to: "OFF", readingBack: "0")
        try connection.set("cache_size", to: "-\(Self.cacheSizeInKibibytes)")
        try StoreLayout(tables: tables, sortIndexes: []).install(in: connection)
        try postponeIndexes()
        for table in tables.all { inserts[table.model.name] = try connection.statement(table.insertAtLine) }
        try connection.run("BEGIN")
    }

    /// - Parameter line: Becomes the row's number, so that what is found only at the end can name its line.
    func insert(_ record: SnapshotRecord, line: Int) throws {
        guard let statement = inserts[record.table.model.name] else { throw SnapshotError(.unknownModel, line: line) }
        defer { statement.reset() }
        try statement.bind(.integer(Int64(line)), at: 1)
        try statement.bind(.text(record.id), at: 2)
        try statement.bind(.integer(record.version), at: 3)
        for (index, value) in record.values.enumerated() { try statement.bind(value, at: Int32(index + 4)) }
        do {
            _ = try statement.step()
        } catch {
            guard error.isConstraint else { throw error }
            throw SnapshotError(.duplicate(model: record.table.model.name), line: line)
        }
        counts[record.table.model.name, default: 0] += 1
    }

    /// Checks what needs all records, and completes the file.
    func finish(commit: Int64) throws {
        for (model, count) in counts { try TotalTable.add(count, to: model, in: connection) }
        try StorePosition(commit: commit, nextChange: 1, historySize: 0).write(to: connection)
        try connection.run("COMMIT")
        try createPostponedIndexes()
        if let error = try missingReference() { throw error }
        try StoreLayout(tables: tables, sortIndexes: sortIndexes).install(in: connection)
        inserts.removeAll()
        connection.close()
    }

    private func postponeIndexes() throws {
        let indexes = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") { row in
            (name: row.text(0) ?? "", sql: row.text(1) ?? "")
        }
        for index in indexes { try connection.run("DROP INDEX \(SQL.name(index.name))") }
        postponedIndexes = indexes.map(\.sql)
    }

    private func createPostponedIndexes() throws {
        for sql in postponedIndexes {
            do {
                try connection.run(sql)
            } catch {
                guard error.isConstraint else { throw error }
                throw try notUnique() ?? error
            }
        }
    }
}

extension StoreBuilder {
    /// The first record that has the unique value of an earlier one.
    private func notUnique() throws -> SnapshotError? {
        for table in tables.all {
            for (property, column) in zip(table.model.storedProperties, table.columns) where property.isUnique {
                let sql = "SELECT min(later) FROM (SELECT max(rowid) AS later FROM \(table.name) "
                    + "WHERE \(column) IS NOT NULL GROUP BY \(column) HAVING count(*) > 1)"
                let line = try connection.firstRow(sql) { $0.isNull(0) ? nil : Int($0.integer(0)) } ?? nil
                guard let line else { continue }
                return SnapshotError(.notUnique(model: table.model.name, property: property.name), line: line)
            }
        }
        return nil
    }

    private func missingReference() throws -> SnapshotError? {
        let found = try connection.firstRow("PRAGMA foreign_key_check") { row in
            (model: row.text(0) ?? "", line: Int(row.integer(1)), key: row.integer(3))
        }
        guard let found else { return nil }
        let property = try connection.rows("PRAGMA foreign_key_list(\(SQL.name(found.model)))") { row in
            (key: row.integer(0), property: row.text(3) ?? "")
        }.first { $0.key == found.key }?.property
        return SnapshotError(.missingReference(model: found.model, property: property ?? "reference"), line: found.line)
    }
}

extension ModelTable {
    fileprivate var insertAtLine: String {
        "INSERT INTO \(name) (rowid, \(selection)) VALUES (\(SQL.placeholders(columns.count + 3)))"
    }
}
