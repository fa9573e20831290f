import AviaryDomain
import Crypto
import Foundation

/// A store that was built from a snapshot, read through a connection of its own.
struct RestoredStoreCheck {
    let path: String
    let tables: ModelTables
    let engine: any StoreEngine

    /// Checks the integrity and the references of all tables, and compares the contents if a digest is given.
    ///
    /// - Throws: ``SnapshotError/Reason/notProven(_:)`` that names what is wrong; ``EngineError``.
    func check(holds digest: ContentDigest? = nil) throws {
        let connection = try engine.openReader(DataDirectory(found: String(path.dropLast("/store.sqlite".count))))
        defer { connection.close() }
        if let file = connection.fileCheck {
            for table in try connection.tableNames() {
                let problems = try file.integrityCheck(ofTable: table) + file.referenceCheck(ofTable: table)
                if let problem = problems.first { throw SnapshotError(.notProven("\(problem).")) }
            }
        } else if let missing = try connection.missingReference(in: tables) {
            throw SnapshotError(.notProven("A reference of \(missing.model) points to a record that does not exist."))
        }
        guard let digest else { return }
        let different = digest.differences(from: try self.digest(connection))
        guard different.isEmpty else {
            let list = TextFormatter.list(different)
            throw SnapshotError(
                .notProven(
                    localized(
                        different.count, one: "\(list) differs from the backup.",
                        other: "\(list) differ from the backup."
                    )))
        }
    }

    private func digest(_ connection: any Connection) throws -> ContentDigest {
        var digest = ContentDigest()
        func add(_ name: String, _ columns: Int, _ sql: String) throws {
            let row = try connection.statement(sql)
            defer { row.reset() }
            row.readInPieces()
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

/// A digest of the contents of tables, independent of the order of the rows.
///
/// It consists of the number of rows and the sum of their hashes.
struct ContentDigest: Hashable {
    private struct Table: Hashable {
        var count = 0
        var sum: SIMD4<UInt64> = .zero
    }

    private var tables: [String: Table] = [:]
    private var bytes: [UInt8] = []

    static func == (one: ContentDigest, other: ContentDigest) -> Bool { one.tables == other.tables }
    func hash(into hasher: inout Hasher) { hasher.combine(tables) }

    mutating func add(_ table: String, _ values: [FieldValue]) {
        bytes.removeAll(keepingCapacity: true)
        for value in values { write(value) }
        let hash = SHA256.hash(data: bytes)
        let words = hash.withUnsafeBytes { hash in
            SIMD4((0..<4).map { hash.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) })
        }
        tables[table, default: Table()].count += 1
        tables[table, default: Table()].sum &+= words
    }

    /// Returns the names of the tables whose contents differ.
    func differences(from other: ContentDigest) -> [String] {
        Set(tables.keys).union(other.tables.keys).filter { tables[$0] != other.tables[$0] }.sorted()
    }

    // Each value includes its length, so that no two different rows are written as the same bytes.
    private mutating func write(_ value: FieldValue) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number): write(1, UInt64(bitPattern: number))
        case .real(let number): write(2, number.bitPattern)
        case .text(let text):
            write(3, UInt64(text.utf8.count))
            bytes += text.utf8
        case .blob(let blob):
            write(4, UInt64(blob.count))
            bytes += blob
        }
    }

    private mutating func write(_ kind: UInt8, _ number: UInt64) {
        bytes.append(kind)
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }
}
