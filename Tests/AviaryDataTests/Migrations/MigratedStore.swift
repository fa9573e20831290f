import AviaryDomain
import Foundation

@testable import AviaryData

/// A store that one program wrote and another one opens. It has a model `Animal`, and optionally others.
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

    /// Inserts a record with the first program.
    func insert(_ values: [String: FieldValue], into model: String = "Animal") async throws -> UUID {
        inserted += 1
        // Each identifier gets a different millisecond, because identifiers of the same millisecond have a random
        // order.
        let id = UUID.version7(at: begun.addingTimeInterval(Double(inserted) / 1000))
        try await submit(.insert(model: model, id: id, values: values))
        return id
    }

    func submit(_ change: Change) async throws {
        _ = try await store?.submit(ChangeSet(change))
    }

    func plan(_ schema: Schema, _ instructions: MigrationInstructions = .none) throws -> DerivedMigration {
        guard let plan = try DerivedMigration.planned(for: schema, sortIndexes: [], instructions, in: directory) else {
            throw UnexpectedResult()
        }
        return plan
    }

    /// Opens the store with another program, after closing it in the previous one.
    func open(_ schema: Schema, _ instructions: MigrationInstructions = .none) async throws -> Store {
        await store?.close()
        store = nil
        let opened = try Store(directory: directory, schema: schema, sortIndexes: [], migration: instructions)
        store = opened
        return opened
    }

    /// Returns the values of all records of the model, in the order in which they were inserted.
    func values(_ schema: Schema, of model: String = "Animal") throws -> [[FieldValue]] {
        guard let table = ModelTables(schema, StoreEngines.standard.dialect)[model] else { throw UnexpectedResult() }
        return try read { connection in
            try connection.rows("SELECT \(table.selection) FROM \(table.name) ORDER BY id") {
                try table.record($0).values
            }
        }
    }

    /// Returns the storage classes of a column's values in SQLite.
    func types(of column: String) throws -> [String] {
        let type = TestEngine.isPostgreSQL ? "pg_typeof(\"\(column)\")::text" : "typeof(\"\(column)\")"
        return try read { try $0.rows("SELECT DISTINCT \(type) FROM \"Animal\"") { $0.text(0) ?? "" } }
    }

    func indexes() throws -> [String] { try read { try $0.indexes().map(\.name).sorted() } }

    func tables() throws -> [String] { try read { try $0.tableNames() } }

    /// Returns the names of the safety copies.
    func copies() throws -> [String] {
        let path = try directory.snapshotsPath
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }

    func read<T>(_ body: (any Connection) throws -> T) throws -> T {
        let connection = try StoreEngines.standard.openReader(directory)
        defer { connection.close() }
        return try body(connection)
    }
}

extension MigratedStore {
    /// Inserts a record. A record of another model may have the same identifier.
    func insert(_ name: String, into model: String, id: UUID = .version7()) async throws -> UUID {
        try await submit(.insert(model: model, id: id, values: ["name": .text(name)]))
        return id
    }

    /// Returns the rows of a relation as the names of their records, for example `Emma - Jane`, sorted.
    func links(_ relation: String, _ source: String, _ target: String) throws -> [String] {
        let sql = """
            SELECT a.name || ' - ' || b.name FROM "aviary_link.\(relation)" AS link
            JOIN "\(source)" AS a ON a.id = link.source JOIN "\(target)" AS b ON b.id = link.target ORDER BY 1
            """
        return try read { try $0.rows(sql) { $0.text(0) ?? "" } }
    }

    /// Indicates whether a relation's table refers to the tables: source, then target. Only SQLite has foreign keys.
    func relation(_ relation: String, refersTo tables: [String]) throws -> Bool {
        guard !TestEngine.isPostgreSQL else { return true }
        let references = try read { try $0.references(ofTable: "aviary_link.\(relation)") }
        return [references["source"], references["target"]] == tables
    }

    func linkTables() throws -> [String] {
        try tables().filter { $0.hasPrefix("aviary_link.") || $0.hasPrefix("aviary_new.") }
    }

    /// Returns the problems that SQLite's own checks find. The other engine has none.
    func problems() throws -> [String] {
        guard !TestEngine.isPostgreSQL else { return [] }
        return try read { connection in
            try ["PRAGMA integrity_check", "PRAGMA foreign_key_check"].flatMap { sql in
                try connection.rows(sql) { $0.text(0) ?? "" }.filter { $0 != "ok" }
            }
        }
    }

    /// Removes relations from the stored schema, as in a file of an older program. The store must be closed.
    func forgetRelations() throws {
        let connection = try StoreEngines.standard.openWriter(directory)
        defer { connection.close() }
        guard case .text(let text) = try MetaTable.value(.schema, in: connection) else { throw UnexpectedResult() }
        let lines = text.split(separator: "\n").filter { !$0.contains(" links(") }
        try MetaTable.set(.schema, to: .text(lines.joined(separator: "\n")), in: connection)
    }

    func schemaLines() throws -> [String] {
        guard case .text(let text) = try read({ try MetaTable.value(.schema, in: $0) }) else {
            throw UnexpectedResult()
        }
        return text.split(separator: "\n").map(String.init)
    }
}
