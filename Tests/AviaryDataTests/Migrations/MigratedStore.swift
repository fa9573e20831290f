import AviaryDomain
import Foundation

@testable import AviaryData

/// A store that one program wrote and another one opens: of a model `Animal`, and perhaps others.
final class MigratedStore {
    let temporary = TemporaryDirectory()
    let schema: Schema
    private var store: Store?
    private let begun = Date()
    private var inserted = 0

    init(from schema: Schema) throws {
        self.schema = schema
        store = try Store(directory: directory, schema: schema, sortIndexes: [])
    }

    var directory: DataDirectory { get throws { try DataDirectory(path: temporary.path) } }

    /// With the first program.
    func insert(_ values: [String: FieldValue], into model: String = "Animal") async throws -> UUID {
        inserted += 1
        // A millisecond each: of ids of one the order is random.
        let id = UUID.version7(at: begun.addingTimeInterval(Double(inserted) / 1000))
        try await submit(.insert(model: model, id: id, values: values))
        return id
    }

    func submit(_ change: Change) async throws {
        _ = try await store?.submit(ChangeSet(change))
    }

    func plan(_ schema: Schema, _ instructions: MigrationInstructions = .none) throws -> Migration {
        guard let plan = try Migration.planned(for: schema, sortIndexes: [], instructions, in: directory) else {
            throw UnexpectedResult()
        }
        return plan
    }

    /// With another program, after the one before it has ended.
    func open(_ schema: Schema, _ instructions: MigrationInstructions = .none) async throws -> Store {
        await store?.close()
        store = nil
        let opened = try Store(directory: directory, schema: schema, sortIndexes: [], migration: instructions)
        store = opened
        return opened
    }

    /// Of all records of the model, in the order in which they were made.
    func values(_ schema: Schema, of model: String = "Animal") throws -> [[FieldValue]] {
        guard let table = ModelTables(schema, SQLiteDialect())[model] else { throw UnexpectedResult() }
        return try read { connection in
            try connection.rows("SELECT \(table.selection) FROM \(table.name) ORDER BY id") {
                try table.record($0).values
            }
        }
    }

    /// As SQLite keeps the values of a column.
    func types(of column: String) throws -> [String] {
        try read { try $0.rows("SELECT DISTINCT typeof(\"\(column)\") FROM Animal") { $0.text(0) ?? "" } }
    }

    func indexes() throws -> [String] { try read { try $0.indexes().map(\.name).sorted() } }

    func tables() throws -> [String] { try read { try $0.tableNames() } }

    /// The safety copies.
    func copies() throws -> [String] {
        let path = try directory.snapshotsPath
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    func read<T>(_ body: (any Connection) throws -> T) throws -> T {
        let connection = try SQLiteEngine().openReader(directory)
        defer { connection.close() }
        return try body(connection)
    }
}
