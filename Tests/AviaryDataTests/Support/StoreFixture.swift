import AviaryDomain
import Foundation
import TestSupport

@testable import AviaryData

/// A store with readers on real files.
struct StoreFixture {
    let temporary: TemporaryDirectory
    let directory: DataDirectory
    let schema: Schema
    let store: Store
    let readers: ReaderPool

    init(
        _ schema: Schema, sortIndexes: [SortIndex] = [], history: HistoryPolicy = HistoryPolicy(),
        in temporary: TemporaryDirectory = TemporaryDirectory(),
        onFatalError: @escaping @Sendable (String) -> Void = { _ in },
        // The default is longer than a busy machine delays a restore. A test of the expiry uses a short one.
        maximumLeaseDuration: Duration = .seconds(600),
        now: @escaping @Sendable () -> Date = { Date() },
        // By default, the test's clock also determines the uptime. A test of a wrong clock sets both.
        uptime: (@Sendable () -> MonotonicTime)? = nil,
        leastReceipts: Int = 0, stepLimits: StepLimits = StepLimits()
    ) throws {
        self.temporary = temporary
        self.schema = schema
        directory = try DataDirectory(path: temporary.path)
        store = try Store(
            directory: directory, schema: schema, sortIndexes: sortIndexes, history: history,
            onFatalError: onFatalError,
            maximumLeaseDuration: maximumLeaseDuration, maximumRenewedLeaseDuration: .seconds(600), now: now,
            uptime: uptime ?? { MonotonicTime(nanoseconds: UInt64(now().milliseconds) * 1_000_000) },
            leastReceipts: leastReceipts, stepLimits: stepLimits
        )
        // A test of a limit uses a separate pool or gives the read its own.
        readers = try .patient(directory, schema)
    }

    static func lists() throws -> StoreFixture { try StoreFixture(.lists(), sortIndexes: SortIndex.lists) }
    static func rules() throws -> StoreFixture { try StoreFixture(.rules()) }

    var history: SQLHistoryRepository { SQLHistoryRepository(readers: readers, writer: store) }

    func records<M: Model>(_ model: M.Type) -> SQLRecordRepository {
        SQLRecordRepository(model: M.schema, schema: schema, readers: readers, writer: store)
    }

    @discardableResult
    func submit(_ changes: Change..., id: UUID = .version7(), cascadeLimit: Int? = nil) async throws -> Receipt {
        try await store.submit(ChangeSet(id: id, author: "test", changes: changes, cascadeLimit: cascadeLimit))
    }

    @discardableResult
    func insert(_ models: any Model...) async throws -> Receipt {
        try await store.submit(ChangeSet(author: "test", changes: models.map { $0.anyInsertion }))
    }

    /// Replaces the contents as a restore does.
    func replaceContents(withStoreAt path: String) async throws -> Int64 {
        let holder = UUID()
        try await store.acquireWriteLease(for: holder)
        return try await store.replaceContents(
            withStoreAt: path, keepingReplacedAt: ReplacedStore.path(in: directory, for: holder), holder: holder)
    }

    func count<M: Model>(_ model: M.Type) async throws -> Int {
        try await records(model).count()
    }

    func find<M: Model>(_ model: M) async throws -> Record? {
        try await records(M.self).find(model.id.uuid)
    }

    /// Returns the error of a submission that the store must reject.
    func refusal(_ changes: Change..., id: UUID = .version7(), cascadeLimit: Int? = nil) async -> StoreError? {
        do {
            _ = try await store.submit(ChangeSet(id: id, author: "test", changes: changes, cascadeLimit: cascadeLimit))
            return nil
        } catch {
            return error
        }
    }

    /// Indicates whether the totals of the store equal the counts of SQLite.
    func totalsMatch() async throws -> Bool {
        for model in schema.models {
            let kept = try await SQLRecordRepository(model: model, schema: schema, readers: readers, writer: store)
                .count()
            let counted = try readers.read { connection in
                try connection.firstRow("SELECT count(*) FROM \"\(model.name)\"") { Int($0.integer(0)) }
            }
            guard kept == counted else { return false }
        }
        return true
    }
}

extension ReaderPool {
    /// Opens a pool whose limits no busy machine reaches. Only the first attempt of a long read has the limit of the product.
    static func patient(
        _ directory: DataDirectory, _ schema: Schema, engine: any StoreEngine = StoreEngines.standard
    ) throws -> ReaderPool {
        try ReaderPool(
            directory: directory, schema: schema, readLimit: Patience.bound, watchLimit: Patience.bound,
            longReadLimit: Patience.bound, engine: engine)
    }
}

extension Model {
    var anyInsertion: Change { insertion }
    var deletion: Change { .delete(model: Self.modelName, id: id.uuid) }

    func update(from version: Int64) -> Change {
        .update(model: Self.modelName, id: id.uuid, version: version, values: fieldValues)
    }
}

extension StoreFixture {
    func changes(of receipt: Receipt) async throws -> [RecordChange] {
        try await history.changes(of: receipt.commit, after: nil, limit: 100_000)
    }

    @discardableResult
    func undo(_ commit: Int64, id: UUID = .version7()) async throws -> Receipt {
        try await store.undo(Undo(id: id, commit: commit, author: "test"))
    }

    /// Returns the obstacles to undoing the commit, or nil if it was undone.
    func undoRefusal(of commit: Int64) async -> [UndoObstacle]? {
        do throws(StoreError) {
            _ = try await store.undo(Undo(commit: commit, author: "test"))
            return nil
        } catch {
            if case .undoRefused(commit, let obstacles) = error.reason { return obstacles }
            return []
        }
    }

    func rowCount(_ table: String) throws -> Int {
        try readers.read { try $0.firstRow("SELECT count(*) FROM \(table)") { Int($0.integer(0)) } ?? 0 }
    }

    /// Returns all stored values by model and identifier, without versions.
    func contents() throws -> [String: [UUID: [FieldValue]]] {
        try readers.read { connection in
            var contents: [String: [UUID: [FieldValue]]] = [:]
            for table in ModelTables(schema, StoreEngines.standard.dialect).all {
                let records = try connection.rows("SELECT \(table.selection) FROM \(table.name)") {
                    try table.record($0)
                }
                contents[table.model.name] = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.values) })
            }
            return contents
        }
    }

    /// Returns the rows of all link tables.
    func linkLines() throws -> Set<String> {
        try readers.read { connection in
            var lines = Set<String>()
            for table in ModelTables(schema, StoreEngines.standard.dialect).links {
                let rows = try connection.rows("SELECT source, target FROM \(table.name)") { $0.link(0) }
                lines.formUnion(rows.map { "\(table.relation.name) \($0.source) \($0.target)" })
            }
            return lines
        }
    }

    /// Indicates whether a replay of the complete history produces the stored records.
    func replayMatches() throws -> Bool {
        let tables = ModelTables(schema, StoreEngines.standard.dialect)
        var replayed: [String: [UUID: [FieldValue]]] = Dictionary(
            uniqueKeysWithValues: tables.all.map { ($0.model.name, [:]) })
        let changes = try readers.read { try ChangeTable.changes(0..<Int64.max, limit: Int.max, in: $0) }
        var links = Set<String>()
        for change in changes {
            if change.kind.isOfLink {
                guard let link = LinkChange(change, tables: tables) else { continue }
                for row in link.side.table.rows(of: link.link) {
                    let line = "\(link.side.table.relation.name) \(row.source) \(row.target)"
                    guard link.isThereAfter ? links.insert(line).inserted : links.remove(line) != nil else {
                        return false
                    }
                }
                continue
            }
            guard let table = tables[change.model] else { return false }
            var values = replayed[change.model]?[change.record] ?? table.columns.map { _ in .null }
            for (name, field) in change.fields {
                guard let index = table.model.storedIndex(of: name), values[index] == field.before else { return false }
                values[index] = field.after
            }
            replayed[change.model]?[change.record] = change.kind == .delete ? nil : values
        }
        return try replayed == contents() && links == linkLines()
    }
}

/// A directory that is removed with its last user.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.path + "/aviary-data-" + UUID().uuidString
    }

    deinit {
        // Some tests never create the directory.
        try? FileManager.default.removeItem(atPath: path)
    }
}

/// The error that ends a test if a value has an unexpected kind.
struct UnexpectedResult: Error {}
