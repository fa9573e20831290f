import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Maintenance of the file", .onlySQLite("a file that the store keeps"))
struct MaintenanceTests {
    private func fileSize(_ fixture: StoreFixture) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: fixture.directory.storePath)[.size] as? Int)
    }

    /// Creates a store without the timer, so that the test performs each maintenance step itself.
    private func storeWithoutTimer() async throws -> StoreFixture {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        return fixture
    }

    @Test("Maintenance returns free pages in bounded steps and keeps a reserve")
    func freePages() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.insert(Animal(name: "Okapi"))
        try await fixture.store.configure { connection in
            try connection.fill(60)
            try connection.run("DELETE FROM aviary_meta WHERE key LIKE 'filler _%' AND key NOT LIKE 'filler 5_'")
        }
        let before = try fixture.readers.read { try $0.sqlite.pageCounts() }
        #expect(before.free > 10_000)
        var steps: [MaintenanceStep] = []
        while let step = await fixture.store.maintenanceStep() { steps.append(step) }
        let given = steps.compactMap { step in if case .gaveBackPages(let count) = step { count } else { nil } }
        let after = try fixture.readers.read { try $0.sqlite.pageCounts() }
        #expect(given.allSatisfy { $0 <= 64 } && given.count > 10)
        #expect(after.all < before.all / 2)
        #expect((900...2100).contains(after.free))
        #expect(steps.last == .checkpointed)
        #expect(try fileSize(fixture) == after.all * 4096)
        #expect(try await fixture.count(Animal.self) == 1)
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    @Test("Maintenance keeps a small number of free pages")
    func fewFreePages() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.store.configure { connection in
            try connection.fill(6)
            try connection.run("DELETE FROM aviary_meta WHERE key LIKE 'filler%'")
        }
        #expect(try fixture.readers.read { try $0.sqlite.pageCounts().free } > 1000)
        while let step = await fixture.store.maintenanceStep() { #expect(step == .analyzed) }
    }

    @Test("Maintenance does nothing while a batch is open or after the store is closed")
    func busy() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.useReferences()
        #expect(try await fixture.store.careStepInBatch() == nil)
        #expect(await fixture.store.maintenanceStep() == .analyzed)
        await fixture.store.close()
        #expect(await fixture.store.maintenanceStep(at: .now + .seconds(1_000_000)) == nil)
    }

    @Test("Maintenance updates the statistics of SQLite a day after the last update and not earlier")
    func analysis() async throws {
        let fixture = try await storeWithoutTimer()
        func known() throws -> Int {
            try fixture.readers.read { connection in
                guard try connection.tableNames().contains("sqlite_stat1") else { return 0 }
                return try connection.firstRow("SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'Animal'") {
                    Int($0.integer(0))
                } ?? 0
            }
        }
        let start = ContinuousClock.now
        #expect(await fixture.store.maintenanceStep(at: start) == nil)
        try await fixture.useReferences()
        #expect(await fixture.store.maintenanceStep(at: start + .seconds(3600)) == nil)
        #expect(try known() == 0)
        var count = 0
        while let step = await fixture.store.maintenanceStep(at: start + .seconds(25 * 3600)) {
            #expect(step == .analyzed)
            count += 1
        }
        #expect((1...10).contains(count))
        #expect(try known() > 0)
    }

    @Test("Closing the store updates the statistics of SQLite")
    func analysisAtEnd() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.useReferences()
        await fixture.store.close()
        #expect(try fixture.readers.read { try $0.tableNames().contains("sqlite_stat1") })
    }

    @Test("A long read delays the checkpoint, and maintenance empties the log after the read")
    func longRead() async throws {
        let fixture = try await storeWithoutTimer()
        try await fixture.insert(Animal(name: "first"))
        while await fixture.store.maintenanceStep() != nil {}
        let reader = try Reader(fixture.directory, engine: StoreEngines.standard)
        try reader.connection.run("BEGIN")
        #expect(try RecordCountTable.count("Animal", in: reader.connection) == 1)
        try await fixture.store.configure { try $0.fill(80) }
        #expect(await fixture.store.statistics.logPages > 16_000)
        #expect(await fixture.store.maintenanceStep() == nil)
        #expect(try RecordCountTable.count("Animal", in: reader.connection) == 1)
        try reader.connection.run("COMMIT")
        #expect(await fixture.store.maintenanceStep() == .checkpointed)
        #expect(await fixture.store.statistics.logPages == 0)
        let log = try FileManager.default.attributesOfItem(atPath: fixture.directory.storePath + "-wal")
        #expect(log[.size] as? Int == 0)
        #expect(try await fixture.count(Animal.self) == 1)
    }

    @Test("The maintenance timer repeats its work and does not keep the store alive")
    func timer() async throws {
        let timer = MaintenanceTimer()
        let calls = Calls()
        timer.start(after: .milliseconds(1)) { await calls.add() < 3 ? .milliseconds(1) : nil }
        try await eventually("the timer has called three times") { await calls.count == 3 }
        let cancelled = MaintenanceTimer()
        cancelled.start(after: .milliseconds(1)) {
            _ = await calls.add(); return .seconds(3600)
        }
        try await eventually("the other timer has called") { await calls.count == 4 }
        cancelled.cancel()
        weak var store: Store?
        do {
            let fixture = try StoreFixture.lists()
            store = fixture.store
            #expect(store != nil)
        }
        try await eventually("the store has gone") { store == nil }
    }

    private actor Calls {
        var count = 0

        func add() -> Int {
            count += 1
            return count
        }
    }
}

extension Store {
    func stopTimer() {
        maintenance.timer.cancel()
    }

    func careStepInBatch() throws -> MaintenanceStep? {
        batch = Batch(after: trimSchedule)
        defer { batch = nil }
        return maintenanceStep()
    }
}

extension Connection {
    /// Writes rows of 220 pages each.
    func fill(_ count: Int) throws {
        for number in 0..<count {
            try run("INSERT INTO aviary_meta VALUES (?, printf('%.*c', 900000, 'x'))", .text("filler \(number)"))
        }
    }
}

extension Connection {
    /// Overwrites the rows of ``fill(_:)``.
    func fillAgain(_ count: Int) throws {
        for number in 0..<count {
            try run(
                "UPDATE aviary_meta SET value = printf('%.*c', 900000, 'y') WHERE key = ?", .text("filler \(number)"))
        }
    }
}

extension StoreFixture {
    /// Deletes a record whose delete rules look for references. The query plan depends on the number of references.
    func useReferences() async throws {
        let category = Category(name: "Birds")
        try await insert(category)
        for number in 0..<10 { try await insert(Animal(name: "\(number)", category: category)) }
        let other = Category(name: "Fish")
        try await insert(other)
        try await submit(other.deletion)
    }
}
