import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("Checkpoints beside commits", .onlySQLite("a file that the store keeps"))
struct CheckpointTests {
    @Test("Beside a checkpoint of another thread a transaction commits, and the next checkpoint waits")
    func concurrently() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.insert(Animal(name: "first"))
        let shared = Shared()
        try await fixture.store.configure { connection in
            try connection.fill(40)
            let file = try #require(connection.file)
            file.checkpointConcurrently { answer in
                shared.result.withLock { $0 = answer }
            }
            // A transaction neither waits for the checkpoint nor prevents it.
            try connection.run("UPDATE aviary_meta SET value = '' WHERE key = 'filler 0'")
            // The next checkpoint waits for the end of the first, and copies what was written meanwhile.
            let rest = try file.checkpoint()
            #expect(rest.isComplete)
            let progress = try #require(shared.result.withLock { $0 }).get()
            #expect(progress.copiedPages > 8000)
        }
        // A log that is completely copied begins again.
        try await fixture.insert(Animal(name: "second"))
        #expect(await fixture.store.statistics.logPages < 100)
        #expect(try await fixture.count(Animal.self) == 2)
    }

    @Test("A log that cannot be opened again is copied by the store itself")
    func unopened() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.insert(Animal(name: "first"))
        let moved = fixture.directory.storePath + ".moved"
        // The store's connection stays with the file, whatever happens to its name.
        try FileManager.default.moveItem(atPath: fixture.directory.storePath, toPath: moved)
        try await fixture.store.configure { connection in
            try connection.fill(20)
        }
        await fixture.store.checkpointIfDue()
        while await fixture.store.checkpoints.isCopying { await Task.yield() }
        try FileManager.default.moveItem(atPath: moved, toPath: fixture.directory.storePath)
        try await fixture.insert(Animal(name: "second"))
        #expect(await fixture.store.statistics.logPages < 100)
        #expect(try await fixture.count(Animal.self) == 2)
    }

    @Test("Bulk work waits for the end of a copy, and a save does not")
    func bulkWork() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.store.configure { try $0.fill(20) }
        let (answers, continuation) = AsyncStream.makeStream(of: (Int, Result<Receipt?, StoreError>).self)
        let changeSets = [200, 1].map { count in
            ChangeSet(author: "test", changes: (0..<count).map { Animal(name: "\($0)").insertion })
        }
        let (held, open) = await fixture.store.accept(changeSets) { continuation.yield(($0, $1)) }
        #expect(held == 1 && open == 1)
        for await (number, answer) in answers.prefix(2) {
            #expect(try answer.get()?.changeSet == changeSets[number].id)
        }
        #expect(try await fixture.count(Animal.self) == 201)
    }

    @Test("Bulk work that waits for the end of a copy is committed before the store is closed")
    func closedMeanwhile() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.store.configure { try $0.fill(20) }
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Receipt?, StoreError>.self)
        let changeSet = ChangeSet(author: "test", changes: (0..<200).map { Animal(name: "\($0)").insertion })
        await fixture.store.acceptAndClose(changeSet) { continuation.yield($0) }
        for await answer in answers.prefix(1) { #expect(answer.isSuccess) }
        #expect(try await fixture.count(Animal.self) == 200)
    }

    @Test("Bulk work that waits for the end of a copy is answered at once by a store that fails")
    func failedMeanwhile() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.store.configure { try $0.fill(20) }
        let shared = Shared()
        let changeSet = ChangeSet(author: "test", changes: (0..<200).map { Animal(name: "\($0)").insertion })
        await fixture.store.acceptAndFail(changeSet) { answer in shared.isRefused.withLock { $0 = !answer.isSuccess } }
        #expect(shared.isRefused.withLock { $0 })
    }
}

extension Store {
    /// Begins to copy the log, and accepts the change sets meanwhile.
    ///
    /// - Returns: The number of jobs that wait for the end of the copy, and of those in the open batch.
    fileprivate func accept(
        _ changeSets: [ChangeSet], _ answer: @escaping @Sendable (Int, Result<Receipt?, StoreError>) -> Void
    ) -> (held: Int, open: Int) {
        checkpointIfDue()
        for (number, changeSet) in changeSets.enumerated() {
            accept(
                Job(work: .prepared(PreparedChangeSet(changeSet, tables: tables)), deadline: nil, postponed: {}) {
                    answer(number, $0)
                })
        }
        return (checkpoints.held.count, batch?.jobs.count ?? 0)
    }

    /// Closes the store while a bulk job waits for the end of a copy.
    fileprivate func acceptAndClose(
        _ changeSet: ChangeSet, _ answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) {
        _ = accept([changeSet]) { answer($1) }
        close()
    }

    /// Lets the store fail while a bulk job waits for the end of a copy.
    fileprivate func acceptAndFail(
        _ changeSet: ChangeSet, _ answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) {
        _ = accept([changeSet]) { answer($1) }
        fail(EngineError(kind: .flush, code: nil, message: "planted", operation: "checkpoint"))
    }
}

/// A result that another thread sets.
private final class Shared: Sendable {
    let result = Mutex<Result<CheckpointProgress, EngineError>?>(nil)
    let isRefused = Mutex(false)
}
