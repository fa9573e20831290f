import AviaryDomain
import Foundation
import Synchronization
import TestSupport

@testable import AviaryData

/// An engine whose readers record the statements that they run.
final class RecordingEngine: StoreEngine {
    private let base = StoreEngines.standard
    let statements = Mutex<[String]>([])
    private let onStatement: @Sendable (String) -> Void

    /// Creates the engine.
    ///
    /// - Parameter onStatement: A closure that is called with each statement before it runs.
    init(onStatement: @escaping @Sendable (String) -> Void = { _ in }) {
        self.onStatement = onStatement
    }

    var dialect: any SQLDialect { base.dialect }
    var durability: String { base.durability }
    var searchLimit: Duration { base.searchLimit }

    func openReader(_ directory: DataDirectory) throws -> any ReaderConnection {
        RecordingConnection(try base.openReader(directory)) { sql in
            self.statements.withLock { $0.append(sql) }
            self.onStatement(sql)
        }
    }

    /// Returns the queries that the body runs.
    func queries(_ body: () async throws -> Void) async rethrows -> [String] {
        statements.withLock { $0 = [] }
        try await body()
        return statements.withLock { $0 }.filter { $0.hasPrefix("SELECT") }
    }

    func hasStore(_ directory: DataDirectory) throws -> Bool { try base.hasStore(directory) }
    func isReplaced(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        try base.isReplaced(storeAt: path, in: directory)
    }
    func removeStore(at path: String) { base.removeStore(at: path) }
    func openWriter(_ directory: DataDirectory) throws -> any WriterConnection { try base.openWriter(directory) }
    func createStore(at path: String) throws -> any WriterConnection { try base.createStore(at: path) }
    func openReplacement(at path: String) throws -> any WriterConnection { try base.openReplacement(at: path) }
    func place(storeAt path: String, in directory: DataDirectory) throws -> Bool {
        try base.place(storeAt: path, in: directory)
    }

    func copyStore(
        of directory: DataDirectory, to path: String, check: (any Connection) throws -> Void
    ) throws -> any Connection {
        try base.copyStore(of: directory, to: path, check: check)
    }
}

private final class RecordingConnection: ReaderConnection {
    private let base: any ReaderConnection
    private let record: (String) -> Void

    init(_ base: any ReaderConnection, _ record: @escaping (String) -> Void) {
        self.base = base
        // Every read looks for a mask, whatever it reads.
        self.record = { if !$0.contains(MetaTable.Key.rowMask.rawValue) { record($0) } }
    }

    var path: String { base.path }
    var dialect: any SQLDialect { base.dialect }
    var isInTransaction: Bool { base.isInTransaction }
    func beginReading() throws(EngineError) { try base.beginReading() }
    func commit() throws(EngineError) { try base.commit() }
    func rollBack() throws(EngineError) { try base.rollBack() }
    func missingReference(in tables: ModelTables) throws -> MissingReference? {
        try base.missingReference(in: tables)
    }
    var isUsable: Bool { base.isUsable }
    func commitNumber() throws -> Int64 { try base.commitNumber() }

    func statement(_ sql: String) throws(EngineError) -> any PreparedStatement {
        record(sql)
        return try base.statement(sql)
    }

    func statement(_ query: Query) throws(EngineError) -> any PreparedStatement {
        record(query.sql(dialect))
        return try base.statement(query)
    }

    func checkIsStore() throws { try base.checkIsStore() }
    func layoutVersion() throws -> String { try base.layoutVersion() }
    func tableNames() throws -> [String] { try base.tableNames() }
    func columnNames(ofTable table: String) throws -> [String] { try base.columnNames(ofTable: table) }
    func references(ofTable table: String) throws -> [String: String] { try base.references(ofTable: table) }
    func indexes() throws -> [IndexDefinition] { try base.indexes() }
    func triggers() throws -> [String: String] { try base.triggers() }
    var maskText: String? { base.maskText }
    func hideRows(ofMask text: String?) throws { try base.hideRows(ofMask: text) }
    func close() { base.close() }
    func beginWork(within limit: Duration, unless cancellationToken: CancellationToken?) {
        base.beginWork(within: limit, unless: cancellationToken)
    }
    func endWork() { base.endWork() }
    func interrupter() -> any ConnectionInterrupter { base.interrupter() }
    var fileCheck: (any StoreFileCheck)? { base.fileCheck }
}

extension StoreFixture {
    /// Returns a repository whose statements the engine records.
    func repository<M: Model>(_ model: M.Type, recordedBy engine: RecordingEngine) throws -> Repository<M> {
        // A read that takes too long would run its statements again.
        let readers = try ReaderPool(
            directory: directory, schema: schema, readLimit: Patience.bound, attemptLimit: Patience.bound,
            engine: engine)
        return Repository(
            SQLRecordRepository(model: M.schema, schema: schema, readers: readers, writer: store), author: "test")
    }
}
