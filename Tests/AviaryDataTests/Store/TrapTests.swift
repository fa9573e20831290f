import AviaryDomain
import CSQLite
import Foundation
import Testing

@testable import AviaryData

/// Tests that known pitfalls of SQLite do not occur.
@Suite("Pitfalls of SQLite", .onlySQLite("these pitfalls"))
struct TrapTests {
    @Test("Other operations on the directory do not release the lock of SQLite on the open file")
    func lockStays() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        #expect(throws: DataDirectoryError.self) {
            try Store(directory: fixture.directory, schema: fixture.schema, sortIndexes: [])
        }
        let snapshots = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: SortIndex.lists,
            runningStore: { fixture.store }
        )
        let path = try #require(try await snapshots.create(at: .standard, level: 1).path)
        _ = try await snapshots.restore(from: path)
        let check = FileCheckRun(fixture.directory, engine: StoreEngines.standard)
        guard case .ok = check.result().check else {
            Issue.record("the file is not as it should be")
            return
        }
        check.end()
        try ReaderPool.patient(fixture.directory, fixture.schema).close()
        fixture.readers.close()
        #expect(DataDirectory.hasStore(at: fixture.directory.path))
        // The query is the one that another process would make. The descriptor stays open, because closing it would
        // release SQLite's lock.
        let descriptor = Glibc.open(fixture.directory.storePath, O_RDWR | O_CLOEXEC)
        try #require(descriptor >= 0)
        var question = flock()
        question.l_type = Int16(F_WRLCK)
        question.l_whence = Int16(SEEK_SET)
        #expect(fcntl(descriptor, 36 /* F_OFD_GETLK */, &question) == 0)
        #expect(question.l_type != Int16(F_UNLCK), "nobody has the file locked")
        try await fixture.insert(Animal(name: "Emu"))
    }

    @Test("A restore gives the store another file, with the settings of the first")
    func restoreKeepsSettings() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        func inode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: fixture.directory.storePath)[.systemFileNumber] as? Int
        }
        let snapshots = SQLSnapshotRepository(
            data: fixture.directory.path, app: "Zoo", schema: fixture.schema, sortIndexes: SortIndex.lists,
            runningStore: { fixture.store }
        )
        let path = try #require(try await snapshots.create(at: .standard, level: 1).path)
        let before = try inode()
        _ = try await snapshots.restore(from: path)
        #expect(try inode() != before)
        for (name, value) in [
            ("auto_vacuum", "2"), ("journal_mode", "wal"), ("synchronous", "2"), ("foreign_keys", "1"),
            ("application_id", "\(SQLiteConnection.storeID)"),
        ] {
            #expect(try await fixture.store.pragma(name) == value, "\(name)")
        }
        // If the process is killed from now on, the restored store is checked like any other.
        #expect(try fixture.readers.read { try UncleanShutdownFlag.isSet(in: $0) })
    }

    @Test("Closing the store keeps the log and its index, so that readers can open")
    func readersWithoutStore() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        fixture.readers.close()
        await fixture.store.close()
        for suffix in ["-wal", "-shm"] {
            #expect(FileManager.default.fileExists(atPath: fixture.directory.storePath + suffix))
        }
        let readers = try ReaderPool.patient(fixture.directory, fixture.schema)
        #expect(try readers.read { try RecordCountTable.count("Animal", in: $0) } == 1)
    }

    @Test("Writing a backup does not hold the log")
    func backupHoldsNothing() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        let working = try WorkingDirectory(in: fixture.directory.path)
        let copy = try StoreCopy(
            of: fixture.directory, schema: fixture.schema, in: working, engine: StoreEngines.standard)
        try copy.connection.run("BEGIN")
        #expect(try RecordCountTable.count("Animal", in: copy.connection) == 1)
        try await fixture.insert(Animal(name: "Emu"))
        try await fixture.store.configure { try $0.file?.truncateLog() }
        #expect(try RecordCountTable.count("Animal", in: copy.connection) == 1)
        withExtendedLifetime(working) {}
    }

    @Test("A reader cannot checkpoint the log")
    func readersDoNotCheckpoint() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        func size() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: fixture.directory.storePath)[.size] as? Int
        }
        let before = try size()
        _ = try fixture.readers.read { try? $0.sqlite.truncateLog() }  // The call fails or has no effect.
        #expect(try size() == before)
        #expect(try fixture.readers.read { sqlite3_db_readonly($0.handle, "main") } == 1)
    }

    @Test(
        "Lists use their sort index even if SQLite has statistics of the tables", arguments: PageTests.orders,
        [true, false])
    func plansWithStatistics(order: ListOrder, upwards: Bool) async throws {
        let fixture = try StoreFixture.lists()
        let birds = Category(name: "Birds")
        try await fixture.insert(birds)
        let animals = (0..<300).map {
            Animal(name: "\($0 % 7)", diet: .carnivorous, category: birds, legs: $0 % 3 == 0 ? nil : 2)
        }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        try await fixture.store.configure { try $0.run("ANALYZE") }
        // SQLite reads statistics when a connection reads the schema.
        let readers = try ReaderPool.patient(fixture.directory, fixture.schema)
        let query = try fixture.records(Animal.self).listQuery(sortedBy: order.property)
        let positions = [
            nil, KeysetPosition(value: .text("x"), id: .version7()), KeysetPosition(value: .null, id: .version7()),
        ]
        for range in Set(positions.flatMap { query.ranges(beyond: $0, upwards: upwards) }) {
            let plan = try readers.read { connection in
                try connection.rows("EXPLAIN QUERY PLAN " + query.sql(range, upwards: upwards)) { $0.text(3) ?? "" }
            }
            #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            if order.property != "id" {
                #expect(plan.first?.contains("aviary_sort.Animal.\(order.property)") == true, "\(plan)")
            }
        }
    }

    @Test("No statement rolls back the transaction on a conflict or deletes by a foreign key action")
    func statements() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/AviaryData")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            count += 1
            for words in ["OR ROLLBACK", "ON DELETE", "ON UPDATE", "OR REPLACE INTO \\(name)"] {
                #expect(!text.contains(words), "\(file.lastPathComponent): \(words)")
            }
        }
        #expect(count > 50)
    }
}
