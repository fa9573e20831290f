import AviaryDomain
import CSQLite
import Foundation
import Synchronization
import Testing

@testable import AviaryData

extension Store {
    func pragma(_ name: String) throws -> String { try connection.pragma(name) }

    /// Keeps the store busy until this many submissions wait, so that they are committed in one batch.
    ///
    /// Returns when the store is busy, with a task that ends with the pause.
    nonisolated func pausing(
        untilWaiting count: Int, then prepare: @escaping @Sendable (any WriterConnection) throws -> Void = { _ in }
    ) async -> Task<Void, any Error> {
        let (begun, continuation) = AsyncStream.makeStream(of: Never.self)
        let task = Task { try await pause(untilWaiting: count, begun: { continuation.finish() }, then: prepare) }
        for await _ in begun {}
        return task
    }

    private func pause(
        untilWaiting count: Int, begun: @Sendable () -> Void,
        then prepare: @Sendable (any WriterConnection) throws -> Void
    ) throws {
        begun()
        while backlog.jobCount < count { usleep(200) }
        try prepare(connection)
    }

    func configure(_ body: @Sendable (any WriterConnection) throws -> Void) throws {
        try body(connection)
    }

    /// The number of jobs that wait until writes are released.
    var heldJobs: Int { lease?.jobs.count ?? 0 }

    /// The time at which the hold of writes started.
    var holdBegan: ContinuousClock.Instant? { lease?.since }

    /// The time at which the hold expires.
    var holdEnd: ContinuousClock.Instant? { lease?.end }
}

extension StoreFixture {
    /// Submits all change sets at once, which makes them one batch unless it is full, and returns the results.
    ///
    /// - Parameter prepare: A closure that is called with the store's connection before.
    func submitTogether(
        _ changeSets: [ChangeSet], prepare: @escaping @Sendable (any WriterConnection) throws -> Void = { _ in }
    ) async throws -> [UUID: [Result<Receipt, StoreError>]] {
        try await store.configure(prepare)
        let (answers, continuation) = AsyncStream.makeStream(of: (UUID, Result<Receipt?, StoreError>).self)
        store.enqueue(
            changeSets.map { changeSet in
                QueuedWrite(.submit(changeSet), before: nil) { continuation.yield((changeSet.id, $0)) }
            })
        var results: [UUID: [Result<Receipt, StoreError>]] = [:]
        for await (id, answer) in answers.prefix(changeSets.count) {
            results[id, default: []].append(
                answer.flatMap { receipt in
                    guard let receipt else { return .failure(.alreadyDiscarded) }
                    return .success(receipt)
                })
        }
        return results
    }
}

extension StoreFixture {
    /// Indicates whether no reference is dangling.
    func hasAllReferences() throws -> Bool {
        try readers.read { try $0.missingReference(in: ModelTables(schema, $0.dialect)) } == nil
    }
}

extension ChangeSet {
    init(_ changes: Change..., id: UUID = .version7()) {
        self.init(id: id, author: "test", changes: changes)
    }
}

extension Result {
    var isSuccess: Bool { if case .success = self { true } else { false } }
    var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}

/// Replaces an open file of this process with another, for every descriptor that refers to it.
func replaceOpenFile(_ path: String, with replacement: String) throws -> Int {
    var replaced = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
        guard let descriptor = Int32(name),
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
            target == path
        else { continue }
        let source = open(replacement, O_RDWR)
        dup2(source, descriptor)
        close(source)
        replaced += 1
    }
    return replaced
}

/// Interrupts every statement that deletes an animal. If a writing statement is interrupted, SQLite rolls back the
/// whole transaction.
func interruptDeletes(of connection: any Connection) {
    _ = sqlite3_update_hook(
        connection.handle,
        { context, operation, _, table, _ in
            guard operation == SQLITE_DELETE, let table, String(cString: table) == "Animal" else { return }
            sqlite3_interrupt(context.map { OpaquePointer($0) })
        }, connection.handle.map { UnsafeMutableRawPointer($0) })
}

/// Interrupts deletes like ``interruptDeletes(of:)``, but not before the given time.
func interruptDeletes(of connection: any Connection, after time: MonotonicTime) {
    interruptionTime.withLock { $0 = time }
    _ = sqlite3_update_hook(
        connection.handle,
        { context, operation, _, table, _ in
            guard operation == SQLITE_DELETE, let table, String(cString: table) == "Animal" else { return }
            while interruptionTime.withLock({ !$0.isPast }) { usleep(1000) }
            sqlite3_interrupt(context.map { OpaquePointer($0) })
        }, connection.handle.map { UnsafeMutableRawPointer($0) })
}

// A C hook cannot capture anything except its context.
private let interruptionTime = Mutex(MonotonicTime.now)

/// Makes every COMMIT of the connection fail.
func sqlite3CommitFails(_ connection: any Connection) -> Bool {
    _ = sqlite3_commit_hook(connection.handle, { _ in 1 }, nil)
    return true
}

// These extensions expose SQLite to tests that look at internals.
extension Connection {
    var sqlite: SQLiteConnection {
        get throws { try #require(self as? SQLiteConnection) }
    }

    var handle: OpaquePointer? { (self as? SQLiteConnection)?.handle }

    func pragma(_ name: String) throws -> String { try sqlite.pragma(name) }
}

/// A counter of a connection's complete rollbacks. A rollback to a savepoint does not count.
final class RollbackCounter: Sendable {
    private let rollbacks = Atomic<Int>(0)

    var count: Int { rollbacks.load(ordering: .relaxed) }

    /// Counts the rollbacks of the connection. The counter must outlive the connection's work.
    func follow(_ connection: any Connection) {
        sqlite3_rollback_hook(
            connection.handle,
            { context in
                guard let context else { return }
                let counter = Unmanaged<RollbackCounter>.fromOpaque(context).takeUnretainedValue()
                counter.rollbacks.add(1, ordering: .relaxed)
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
