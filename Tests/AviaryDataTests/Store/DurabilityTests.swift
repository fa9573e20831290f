import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Durability")
struct DurabilityTests {
    @Test("An acknowledged change set is visible to another connection")
    func visibleToOthers() async throws {
        let fixture = try StoreFixture.lists()
        for number in 1...50 {
            let animal = Animal(name: "Okapi \(number)")
            let receipt = try await fixture.insert(animal)
            let record = try #require(try await fixture.find(animal))
            #expect(record.title(in: Animal.schema) == "Okapi \(number)")
            #expect(record.version == receipt.commit)
        }
    }

    @Test("An acknowledged change set is visible to every reader pool during concurrent writes")
    func readYourWrites() async throws {
        let fixture = try StoreFixture.lists()
        let pools = try (0..<3).map { _ in try ReaderPool.patient(fixture.directory, fixture.schema) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<15 {
                        let animal = Animal(name: "\(writer).\(number)")
                        let receipt = try await fixture.insert(animal)
                        for pool in pools {
                            let records = SQLRecordRepository(
                                model: Animal.schema, schema: fixture.schema, readers: pool, writer: fixture.store
                            )
                            #expect(try await records.find(animal.id.uuid)?.version == receipt.commit)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        for pool in pools { #expect(try pool.read { try RecordCountTable.count("Animal", in: $0) } == 120) }
    }

    @Test(
        "The files contain a change set at the moment of its acknowledgement", .onlySQLite("a file that can be copied"))
    func filesAtAcknowledgement() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        let receipt = try await fixture.insert(animal)
        // The copy is what a crash leaves: the store is still open, and nothing was checkpointed or closed.
        let crashed = TemporaryDirectory()
        _ = try DataDirectory(path: crashed.path)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.directory.storePath + suffix, toPath: crashed.path + "/store.sqlite" + suffix
            )
        }
        let recovered = try StoreFixture(.lists(), sortIndexes: SortIndex.lists, in: crashed)
        #expect(try await recovered.find(animal)?.version == receipt.commit)
        #expect(try await recovered.count(Animal.self) == 1)
        #expect(try recovered.readers.restoreEpoch() == fixture.readers.restoreEpoch())
    }

    @Test("A reopened store has its records and continues the commit numbers")
    func reopening() async throws {
        let temporary = TemporaryDirectory()
        let first = try StoreFixture(.lists(), in: temporary)
        let animal = Animal(name: "Okapi")
        #expect(try await first.insert(animal).commit == 1)
        #expect(try await first.submit(animal.deletion).commit == 2)
        let epoch = try first.readers.restoreEpoch()
        await first.store.close()
        let second = try StoreFixture(.lists(), in: temporary)
        #expect(try await second.insert(animal).commit == 3)
        #expect(try second.readers.restoreEpoch() == epoch)
        #expect(try await second.find(animal)?.version == 3)
    }

    @Test("A closed store rejects change sets and keeps its records")
    func closing() async throws {
        let fixture = try StoreFixture.lists()
        async let last = fixture.insert(Animal(name: "Last"))
        _ = try await last
        await fixture.store.close()
        guard await fixture.refusal(Animal(name: "Late").insertion)?.code == .unavailable else {
            Issue.record("a closed store took a change set")
            return
        }
        #expect(try await fixture.count(Animal.self) == 1)
        await fixture.store.close()
    }

    @Test("The store checkpoints the log as it grows")
    func checkpoints() async throws {
        let fixture = try StoreFixture.lists()
        let note = String(repeating: "x", count: 900_000)
        for number in 0..<60 {
            try await fixture.insert(Animal(name: "\(number)", note: note))
            while await fixture.store.checkpoints.isCopying { await Task.yield() }
        }
        // 60 × 220 pages would be 13,200. The WAL restarts after each complete checkpoint.
        #expect(await fixture.store.statistics.logPages < 6000)
        #expect(try await fixture.count(Animal.self) == 60)
    }
}
