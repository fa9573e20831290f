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
}

/// A result that another thread sets.
private final class Shared: Sendable {
    let result = Mutex<Result<CheckpointProgress, EngineError>?>(nil)
}
