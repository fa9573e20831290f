import AviaryDomain
import Foundation

/// A store that was built from a snapshot, looked at by a reader of its own.
struct BuiltStore {
    let path: String
    let tables: ModelTables
    let engine: any StoreEngine

    /// - Throws: ``SnapshotError/Reason/notProven(_:)`` naming what is not as it must be; ``EngineError``.
    func check(holds digest: ContentDigest? = nil) throws {
        let connection = try engine.openReader(DataDirectory(found: String(path.dropLast("/store.sqlite".count))))
        defer { connection.close() }
        for table in try connection.tableNames() {
            let problems = try connection.integrityCheck(ofTable: table) + connection.referenceCheck(ofTable: table)
            if let problem = problems.first { throw SnapshotError(.notProven("\(problem).")) }
        }
        guard let digest else { return }
        let different = digest.differences(from: try self.digest(connection))
        guard different.isEmpty else {
            let list = Words.list(different)
            throw SnapshotError(
                .notProven(
                    localized(
                        different.count, one: "\(list) did not come back as it was.",
                        other: "\(list) did not come back as they were."
                    )))
        }
    }

    private func digest(_ connection: any Connection) throws -> ContentDigest {
        var digest = ContentDigest()
        func add(_ name: String, _ columns: Int, _ sql: String) throws {
            let row = try connection.statement(sql)
            defer { row.reset() }
            while try row.step() { digest.add(name, row.values(0..<columns)) }
        }
        for table in tables.all {
            try add(table.model.name, table.columns.count + 2, "SELECT \(table.selection) FROM \(table.name)")
        }
        for table in tables.links { try add(table.tableName, 2, "SELECT source, target FROM \(table.name)") }
        for table in SnapshotLogRow.Table.allCases {
            try add(table.tableName, table.columns.count, "SELECT \(table.selection) FROM \(table.tableName)")
        }
        return digest
    }
}
