import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

/// Stores of several hosts that share a schema of the test's database.
struct Hosts {
    /// The store of a host with its readers.
    struct Host {
        let store: Store
        let readers: ReaderPool
        let directory: DataDirectory
        let engine: PostgreSQLEngine

        func records<M: Model>(_ model: M.Type, _ schema: AviaryDomain.Schema) -> SQLRecordRepository {
            SQLRecordRepository(model: M.schema, schema: schema, readers: readers, writer: store)
        }

        func insert(_ models: any Model..., id: UUID = .version7()) async throws -> Receipt {
            try await store.submit(
                ChangeSet(id: id, author: "test", changes: models.map { $0.anyInsertion }))
        }
    }

    let name = "hosts_" + UUID().uuidString.prefix(8).lowercased()
    let schema: AviaryDomain.Schema
    /// The directory of the server's socket.
    let server: String
    private let temporary = TemporaryDirectory()

    init(_ schema: AviaryDomain.Schema) throws {
        self.schema = schema
        let text = try #require(ProcessInfo.processInfo.environment["AVIARY_TEST_DATABASE"])
        server = try #require(text.components(separatedBy: "host=").last)
    }

    func address(_ directory: String? = nil) throws -> PostgreSQLAddress {
        // A proxy may never answer: a connection through it keeps the timeout of the product.
        let patience = directory == nil ? "connect_timeout=180&" : ""
        return try PostgreSQLAddress("postgresql://aviary@/postgres?\(patience)host=\(directory ?? server)")
    }

    func engine(_ host: String, through proxy: DatabaseProxy? = nil) throws -> PostgreSQLEngine {
        PostgreSQLEngine(
            address: try address(proxy?.directory), directory: temporary.path + "/" + host, schema: name)
    }

    /// Opens the store of a host.
    ///
    /// - Parameter proxy: The proxy through which it reaches the server; nil to reach it directly.
    func open(
        _ host: String, through proxy: DatabaseProxy? = nil, _ schema: AviaryDomain.Schema? = nil,
        history: HistoryPolicy = HistoryPolicy(), stepLimits: StepLimits = StepLimits(), clock: MovableClock? = nil,
        onFatalError: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> Host {
        let directory = try DataDirectory(path: temporary.path + "/" + host)
        let engine = try engine(host, through: proxy), schema = schema ?? self.schema
        let store = try Store(
            directory: directory, schema: schema, sortIndexes: [], history: history, engine: engine,
            onFatalError: onFatalError,
            // A busy machine delays the tests of a replacement for longer than the ten seconds of the product.
            maximumLeaseDuration: .seconds(600), maximumRenewedLeaseDuration: .seconds(600),
            now: { clock?.wall ?? Date() }, uptime: { clock?.uptime ?? .now },
            stepLimits: stepLimits)
        let readers = try ReaderPool.patient(directory, schema, engine: engine)
        return Host(store: store, readers: readers, directory: directory, engine: engine)
    }

    /// Runs a statement beside the stores.
    func run(_ sql: String, _ values: FieldValue...) throws {
        let connection = try PostgreSQLConnection(address(), schema: name, role: .builder)
        defer { connection.close() }
        try connection.run(sql, values)
    }

    func numbers(_ sql: String) throws -> [Int64] {
        let connection = try PostgreSQLConnection(address(), schema: name, role: .builder)
        defer { connection.close() }
        return try connection.rows(sql) { $0.integer(0) }
    }

    func texts(_ sql: String) throws -> Set<String> {
        let connection = try PostgreSQLConnection(address(), schema: name, role: .builder)
        defer { connection.close() }
        return Set(try connection.rows(sql) { $0.text(0) ?? "" })
    }

    /// The numbers of all commits, in their order.
    func commits() throws -> [Int64] { try numbers("SELECT number FROM aviary_commit ORDER BY number") }

    /// Checks what every store contains, whatever has happened: no number is missing, and totals and history fit the records.
    func expectConsistency(_ host: Host) async throws {
        let commits = try commits()
        #expect(commits == Array(1...Int64(max(1, commits.count))))
        let check = try await DataCheck(
            data: host.directory.path, schema: schema, history: HistoryPolicy(), engine: host.engine
        ).run()
        #expect(check.problems == [])
    }
}

/// The answers to change sets, counted by their ids.
final class Ledger: Sendable {
    private let answers = Mutex<[UUID: [Result<Receipt?, StoreError>]]>([:])

    func note(_ id: UUID, _ answer: Result<Receipt?, StoreError>) {
        answers.withLock { $0[id, default: []].append(answer) }
    }

    var all: [UUID: [Result<Receipt?, StoreError>]] { answers.withLock { $0 } }
    var count: Int { answers.withLock { $0.values.reduce(0) { $0 + $1.count } } }
}

extension Store {
    /// Ends the server's process of this store's connection, as an administrator can.
    func connectionProcess() -> String? { (connection as? PostgreSQLConnection)?.process }
}
