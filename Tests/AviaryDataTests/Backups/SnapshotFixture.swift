import AviaryDomain
import CSQLite
import Foundation

@testable import AviaryData

extension StoreFixture {
    static let snapshotIndexes = [SortIndex(model: "Specimen", property: "label")]

    static func snapshots(in temporary: TemporaryDirectory = TemporaryDirectory()) throws -> StoreFixture {
        try StoreFixture(.snapshots(), sortIndexes: snapshotIndexes, in: temporary)
    }

    /// The repository that creates snapshots of this fixture's store and restores into it.
    var snapshots: SQLSnapshotRepository {
        SQLSnapshotRepository(
            data: directory.path, app: "Museum", schema: schema, sortIndexes: Self.snapshotIndexes,
            runningStore: { store }
        )
    }

    /// Returns the repository for another directory without a running store.
    func snapshots(in temporary: TemporaryDirectory) -> SQLSnapshotRepository {
        SQLSnapshotRepository(data: temporary.path, app: "Museum", schema: schema, sortIndexes: Self.snapshotIndexes)
    }

    func backup() async throws -> String {
        try await snapshots.create(at: .standard, level: 1).path ?? ""
    }

    /// Inserts a few records with a reference and a unique value.
    func insertSample() async throws {
        let site = Site(code: "A1")
        var egg = Specimen(label: "Egg", note: "blue", site: site)
        egg.tag = UUID()
        try await insert(site, egg, Specimen(label: "Feather", site: site), Specimen(label: "Bone"))
    }
}

/// Returns every row of the models, the store's metadata and the receipts as text.
func contents(of directory: String, onlyRecords: Bool = false) throws -> [String] {
    let connection = try StoreEngines.standard.openReader(DataDirectory(path: directory))
    defer { connection.close() }
    let tables = try connection.tableNames().sorted()
    // SQLite's statistics of the tables appear when the store has time to compute them.
    let shown = tables.filter { !$0.hasPrefix("sqlite_") && !(onlyRecords && $0.hasPrefix("aviary_")) }
    return try shown.flatMap { table in
        let columns = try connection.columnNames(ofTable: table)
        let selected = columns.map { connection.dialect.name($0) }.joined(separator: ", ")
        return try connection.rows("SELECT \(selected) FROM \(connection.dialect.name(table))") { row in
            table + " " + columns.indices.map { "\(row.value($0))" }.joined(separator: "|")
        }.sorted()
    }
}

/// Returns the result of SQLite's check of the file. PostgreSQL's server keeps its files itself.
func integrity(of directory: String) throws -> String {
    guard !TestEngine.isPostgreSQL else { return "ok" }
    let connection = try SQLiteConnection(
        path: directory + "/store.sqlite", flags: SQLITE_OPEN_READONLY, busyTimeoutInMilliseconds: 1000
    )
    return try connection.pragma("integrity_check")
}

extension Store {
    /// Returns the number of rows that are in only one of the two stores.
    func difference(from other: String, table: String) throws -> Int {
        try connection.run("ATTACH ? AS other", .text(other + "/store.sqlite"))
        defer { try? connection.run("DETACH other") }
        return try connection.firstRow(
            """
            SELECT (SELECT count(*) FROM (SELECT * FROM main.\(table) EXCEPT SELECT * FROM other.\(table)))
                + (SELECT count(*) FROM (SELECT * FROM other.\(table) EXCEPT SELECT * FROM main.\(table)))
            """
        ) { Int($0.integer(0)) } ?? -1
    }
}
