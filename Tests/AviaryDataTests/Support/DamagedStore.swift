import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

/// A small closed store whose copies are damaged.
struct SoundStore {
    private static let pageSize = 4096

    let temporary = TemporaryDirectory()
    let schema: Schema
    let sortIndexes: [SortIndex]
    /// The table or index that each page belongs to, starting at page 1; empty for pages of the engine.
    let owners: [String]
    /// The kind of each page, starting at page 1: `leaf`, `internal` or `overflow`.
    let kinds: [String]

    /// Creates a store, fills it, and closes it.
    ///
    /// - Parameter fill: A closure that inserts records.
    init(_ schema: Schema, sortIndexes: [SortIndex], fill: (StoreFixture) async throws -> Void) async throws {
        self.schema = schema
        self.sortIndexes = sortIndexes
        let fixture = try StoreFixture(schema, sortIndexes: sortIndexes, in: temporary)
        await fixture.store.stopTimer()
        try await fill(fixture)
        await fixture.store.close()
        fixture.readers.close()
        let connection = try StoreEngines.standard.openReader(fixture.directory)
        defer { connection.close() }
        var owners = [String](repeating: "", count: try connection.sqlite.pageCounts().all + 1)
        var kinds = owners
        let pages = try connection.rows("SELECT name, pageno, pagetype FROM dbstat") {
            (name: $0.text(0) ?? "", number: Int($0.integer(1)), kind: $0.text(2) ?? "")
        }
        for page in pages { (owners[page.number], kinds[page.number]) = (page.name, page.kind) }
        self.owners = owners
        self.kinds = kinds
    }

    func pages(of owner: String) -> [Int] { owners.indices.filter { owners[$0] == owner } }

    /// Returns a copy with one changed page.
    func damaged(_ page: Int, _ change: (inout [UInt8]) -> Void) throws -> TemporaryDirectory {
        let copy = TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        let path = copy.path + "/store.sqlite"
        try FileManager.default.copyItem(atPath: temporary.path + "/store.sqlite", toPath: path)
        let file = try #require(FileHandle(forUpdatingAtPath: path))
        defer { try? file.close() }  // Closing the file writes nothing.
        try file.seek(toOffset: UInt64((page - 1) * Self.pageSize))
        var bytes = [UInt8](try file.read(upToCount: Self.pageSize) ?? Data())
        change(&bytes)
        try file.seek(toOffset: UInt64((page - 1) * Self.pageSize))
        try file.write(contentsOf: Data(bytes))
        return copy
    }

    func open(
        _ directory: TemporaryDirectory, onFatalError: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> StoreFixture {
        let fixture = try StoreFixture(schema, sortIndexes: sortIndexes, in: directory, onFatalError: onFatalError)
        await fixture.store.stopTimer()
        return fixture
    }

    func repair(_ directory: TemporaryDirectory, isDry: Bool = false) throws -> RepairReport {
        try StoreRepair(of: DataDirectory(path: directory.path), schema: schema, sortIndexes: sortIndexes)
            .run(isDry: isDry, at: Date())
    }

    static func zero(_ bytes: inout [UInt8]) {
        bytes = [UInt8](repeating: 0, count: bytes.count)
    }
}

extension Store {
    var fileCheck: FileCheck { maintenance.checker.result }

    func beginFileCheck() { maintenance.checker.start() }

    /// Performs maintenance until nothing is left to do and no check is running.
    func careUntilDone() async throws {
        while true {
            let isChecking = maintenance.checker.isUnderWay
            if maintenanceStep() == nil, !isChecking, !maintenance.checker.isUnderWay { return }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
