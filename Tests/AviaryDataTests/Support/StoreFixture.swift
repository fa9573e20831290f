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
        // Longer than a busy machine keeps a restore waiting; a test of its end has a short one.
        longestHold: Duration = .seconds(600),
        now: @escaping @Sendable () -> Date = { Date() },
        // Time passes as the test's clock says, unless it is about a clock that is wrong.
        uptime: (@Sendable () -> MonotonicTime)? = nil,
        leastReceipts: Int = 0
    ) throws {
        self.temporary = temporary
        self.schema = schema
        directory = try DataDirectory(path: temporary.path)
        store = try Store(
            directory: directory, schema: schema, sortIndexes: sortIndexes, history: history,
            onFatalError: onFatalError,
            longestHold: longestHold, now: now,
            uptime: uptime ?? { MonotonicTime(nanoseconds: UInt64(now().milliseconds) * 1_000_000) },
            leastReceipts: leastReceipts
        )
        // A test of the limit has a pool of its own.
        readers = try ReaderPool(directory: directory, schema: schema, readLimit: Patience.bound)
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

    /// As a restore does it.
    func replaceContents(withStoreAt path: String) async throws -> Int64 {
        let holder = UUID()
        try await store.holdWrites(for: holder)
        return try await store.replaceContents(withStoreAt: path, holder: holder)
    }

    func count<M: Model>(_ model: M.Type) async throws -> Int {
        try await records(model).count()
    }

    func find<M: Model>(_ model: M) async throws -> Record? {
        try await records(M.self).find(model.id.uuid)
    }

    /// The error of a submission that must be refused.
    func refusal(_ changes: Change..., id: UUID = .version7(), cascadeLimit: Int? = nil) async -> StoreError? {
        do {
            _ = try await store.submit(ChangeSet(id: id, author: "test", changes: changes, cascadeLimit: cascadeLimit))
            return nil
        } catch {
            return error
        }
    }

    /// The totals that the store keeps, beside what SQLite counts.
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

extension Model {
    var anyInsertion: Change { insertion }
    var deletion: Change { .delete(model: Self.modelName, id: id.uuid) }

    func update(from version: Int64) -> Change {
        .update(model: Self.modelName, id: id.uuid, version: version, values: fieldValues)
    }
}
