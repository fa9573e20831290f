import AviaryData
import AviaryDomain
import Foundation
import Synchronization

@testable import ActivityFeature

/// A store with some models, and users who view its activity.
struct ActivityFixture: Sendable {
    let history: SQLHistoryRepository
    let statistics: SQLStatisticsRepository
    let accounts: AccountRepository
    let policy = HistoryPolicy().excluding(Note.self)
    let store: Store
    private let directory = TemporaryDirectory()
    private let clock: Clock
    let schema: Schema
    private let readers: ReaderPool

    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws {
        let clock = Clock()
        let schema = try Schema([Category.schema, Animal.schema, Note.schema] + Schema.builtIn)
        let files = try DataDirectory(path: directory.path)
        let store = try Store(
            directory: files, schema: schema, sortIndexes: [], history: policy, onFatalError: { _ in },
            now: { clock.time }
        )
        let readers = try ReaderPool(directory: files, schema: schema)
        (self.clock, self.schema, self.store, self.readers) = (clock, schema, store, readers)
        history = SQLHistoryRepository(readers: readers, writer: store)
        statistics = SQLStatisticsRepository(readers: readers)
        accounts = AccountRepository(
            records: { SQLRecordRepository(model: $0, schema: schema, readers: readers, writer: store) }, writer: store,
            roles: try Roles()
        )
    }

    var now: Date { clock.time }

    func pass(_ seconds: TimeInterval) { clock.pass(seconds) }

    /// Returns the history with another writer, which answers each undo.
    func history(writer: any ChangeWriter) -> SQLHistoryRepository {
        SQLHistoryRepository(readers: readers, writer: writer)
    }

    func records(_ schema: ModelSchema) -> any RecordRepository {
        SQLRecordRepository(model: schema, schema: self.schema, readers: readers, writer: store)
    }

    func scope(_ role: Role = .admin, as name: String = "ada") -> ActivityScope {
        ActivityScope(
            principal: Principal(account: UUID(), name: name, role: role, epoch: 1),
            records: [Animal.schema, Category.schema, Note.schema, Account.schema].map(records)
        )
    }

    @discardableResult
    func submit(_ changes: Change..., by author: String = "ada") async throws -> Int64 {
        try await submit(changes, by: author)
    }

    @discardableResult
    func submit(_ changes: [Change], by author: String = "ada") async throws -> Int64 {
        try await store.submit(ChangeSet(author: author, changes: changes)).commit
    }

    func find<M: Model>(_ model: M) async throws -> Record? { try await records(M.schema).find(model.id.uuid) }

    func update<M: Model>(_ model: M, _ values: [String: FieldValue], by author: String = "ada") async throws -> Int64 {
        let version = try await find(model)?.version ?? 0
        return try await submit(
            .update(model: M.modelName, id: model.id.uuid, version: version, values: values), by: author)
    }
}

/// A clock that the test advances.
private final class Clock: Sendable {
    private let state = Mutex(ActivityFixture.start)

    var time: Date { state.withLock { $0 } }
    func pass(_ seconds: TimeInterval) { state.withLock { $0 += seconds } }
}

/// A directory that is removed with its last user.
final class TemporaryDirectory: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/aviary-activity-" + UUID().uuidString

    deinit {
        // The directory is no longer needed. A failure to remove it is harmless.
        try? FileManager.default.removeItem(atPath: path)
    }
}
