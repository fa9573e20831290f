import Foundation
import Synchronization
import TestSupport

/// A store that the program `StoreMigrator` wrote.
final class SampleStore: Sendable {
    struct Sums: Hashable {
        let count: Int
        /// The sums of the values that a record has in every version.
        let values: [String]
    }

    let directory: StoreDirectory

    private init() throws {
        directory = try StoreDirectory()
    }

    /// The time limit in seconds. A million rows take minutes on a busy machine.
    private static let bound: TimeInterval = Explore.isOn ? 1_800 : Patience.bound / .seconds(1)

    private static let made = Mutex<[Int: SampleStore]>([:])

    /// Returns the sample, which is created once. The tests work on copies.
    static func standard(rows: Int) throws -> SampleStore {
        try made.withLock { made in
            if let store = made[rows] { return store }
            let store = try SampleStore()
            guard try store.run(["--rows", "\(rows)"]).wait() == 0 else {
                throw StoreFile.Unreadable(description: store.directory.errors)
            }
            made[rows] = store
            return store
        }
    }

    func copy() throws -> SampleStore {
        let copy = try SampleStore()
        try FileManager.default.copyItem(atPath: directory.data, toPath: copy.directory.data)
        return copy
    }

    /// - Parameter faults: The faults of the disk. If there are any, the writes are traced.
    func migrate(_ kind: MigrationKind, _ faults: DiskFaults? = nil) throws -> Int32 {
        try run(["--change", kind.rawValue], faults).wait()
    }

    func start(_ kind: MigrationKind) throws -> RunningDriver { try run(["--change", kind.rawValue]) }

    private func run(_ arguments: [String], _ faults: DiskFaults? = nil) throws -> RunningDriver {
        let process = Process()
        process.executableURL = try StoreDriver.programs().appending(path: "StoreMigrator")
        process.arguments = [directory.data] + arguments
        if let faults {
            let settings = try faults.environment(
                store: directory.store, ledger: directory.ledgerPath, trace: directory.tracePath)
            process.environment = ProcessInfo.processInfo.environment.merging(settings) { _, given in given }
        }
        process.standardInput = FileHandle.nullDevice
        process.standardError = try FileHandle(appendingTo: directory.errorsPath)
        return try RunningDriver(process, bound: Self.bound)
    }

    // MARK: Contents of the file

    func sums(_ columns: SampleColumns) throws -> Sums {
        let (name, weight) = (columns.name, columns.weight)
        let row =
            try StoreFile(crashed: directory.store).rows(
                """
                SELECT count(*), sum(length(id) + aviary_version), min(id), max(id), sum(length("\(name)")), sum(substr("\(name)", 8) + 0),
                       sum(substr(code, 3) + 0), CAST(sum("\(weight)") AS INTEGER), sum(length(note)), sum(diet = 'meat'), sum(year)
                FROM Sample
                """
            ).first ?? []
        let total = try StoreFile(crashed: directory.store).rows(
            "SELECT records FROM aviary_total WHERE model = 'Sample'")
        let links = try StoreFile(crashed: directory.store).rows(
            """
            SELECT target, count(*), min(source), max(source) FROM "aviary_link.\(columns.links)"
            INDEXED BY "aviary_link.\(columns.links).target" WHERE target > '' GROUP BY target ORDER BY target
            """
        )
        return Sums(
            count: row.first.flatMap { Int($0) } ?? -1, values: row + total.flatMap { $0 } + links.flatMap { $0 })
    }

    func sums(_ kind: MigrationKind) throws -> Sums { try sums(kind.columns) }

    /// Returns the complete state: the definitions of the tables and their contents.
    func state() throws -> [[String]] {
        let file = try StoreFile(crashed: directory.store)
        let schema = try file.rows(
            "SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name")
        let columns =
            schema.contains { $0.first == "Sample" && $0.last?.contains("\"weight\"") == true }
            ? MigrationKind.all.columns : .before
        let meta = try file.rows("SELECT value FROM aviary_meta WHERE key = 'schema'")
        return schema + meta + [try sums(columns).values]
    }

    /// Returns the problems that SQLite's own checks find.
    func problems() throws -> [String] {
        let file = try StoreFile(crashed: directory.store)
        return try (file.rows("PRAGMA integrity_check") + file.rows("PRAGMA foreign_key_check")).flatMap { $0 }.filter {
            $0 != "ok"
        }
    }
}

/// The differences between `StoreMigrator` and the program that wrote the store.
enum MigrationKind: String, CaseIterable {
    case added, renamed, widened, widenedInPlace, optional, indexed, unique, uniqueTogether, relation, links, dropped
    case all

    /// The names of the columns and links after the migration.
    var columns: SampleColumns {
        switch self {
        case .renamed: SampleColumns(name: "name")
        case .links: SampleColumns(links: "Sample.carers")
        case .all: SampleColumns(name: "name", weight: "weight", links: "Sample.carers")
        default: .before
        }
    }
}

/// The names of the columns and links that a sample has in every program.
struct SampleColumns {
    static let before = SampleColumns()

    var name = "title"
    var weight = "grams"
    /// The name of the relation with keepers.
    var links = "Sample.keepers"
}
