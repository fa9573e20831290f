import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Long reads", .timeLimit(.minutes(Patience.minutes)))
struct LongReadTests {
    private func expectError(_ error: ReadError, _ read: () async throws -> Void) async {
        await #expect(throws: error) { try await read() }
    }

    @Test("A cancelled read ends before its time limit and releases the log")
    func cancelled() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        let begun = Tally()
        let read = Task {
            try await fixture.readers.readLongPatiently { connection in
                try connection.snapshot {
                    _ = try connection.firstRow("SELECT count(*) FROM \"Animal\"") { $0.integer(0) }
                    begun.add()
                    try connection.readForever()
                }
            }
        }
        try await eventually("the read has begun") { begun.value == 1 }
        try await fixture.insert(Animal(name: "Emu"))
        if !TestEngine.isPostgreSQL {
            await #expect(throws: EngineError.self) { try await fixture.store.configure { try $0.file?.truncateLog() } }
        }
        read.cancel()
        await expectError(.cancelled) { try await read.value }
        try await fixture.store.configure { try $0.file?.truncateLog() }
        #expect(try await fixture.readers.readLong { try $0.firstRow("SELECT 1") { $0.integer(0) } } == 1)
    }

    @Test("A read that is cancelled before it begins reads nothing")
    func cancelledBefore() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Animal(name: "Okapi"))
        let read = Tally()
        let one = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await fixture.readers.readLong { _ in _ = read.add() }
        }
        await expectError(.cancelled) { try await one.value }
        #expect(read.value == 0)
        let all = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await fixture.records(Animal.self).fetchAll()
        }
        await expectError(.cancelled) { _ = try await all.value }
    }

    @Test("A late cancellation does not interrupt the next read of the connection")
    func lateCancellation() async throws {
        let fixture = try StoreFixture.lists()
        for round in 0..<(Explore.isOn ? 300 : 30) {
            let read = Task {
                try await fixture.readers.readLong { try $0.firstRow("SELECT 1") { $0.integer(0) } }
            }
            if round % 3 > 0 { _ = try await read.value }
            read.cancel()
            #expect(try fixture.readers.read { try $0.countTo(20_000) } == 20_000)
            _ = await read.result
        }
    }

    @Test("A read that reaches its time limit throws an error")
    func timeLimit() async throws {
        let fixture = try StoreFixture.lists()
        let limit: Duration = .milliseconds(100)
        await expectError(.tookTooLong(limit: limit)) {
            try await fixture.readers.readLong(timeLimit: limit) { try $0.readForever() }
        }
        #expect(try await fixture.readers.readLong { try $0.countTo(1000) } == 1000)
    }

    @Test("Reads above the concurrency limit wait for their turn and complete")
    func bounded() async throws {
        let fixture = try StoreFixture.lists()
        let working = Tally(), most = Tally()
        // The second pass verifies that every slot was released exactly once.
        for _ in 0..<2 {
            let results = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        try await fixture.readers.readLong { connection in
                            most.raise(to: working.add())
                            defer { working.add(-1) }
                            // The first read continues only after a second one has started.
                            try blockUntil("two work at the same time") { most.value >= 2 }
                            _ = try connection.countTo(20_000)
                            return number
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.sorted() == Array(0..<40))
        }
        #expect(most.value == 2)
    }

    @Test("A waiting read can be cancelled or time out without affecting other reads")
    func waiting() async throws {
        let fixture = try StoreFixture.lists()
        let others = try await occupy(fixture)
        let queue = fixture.readers.longReads
        let patient = Task { try await fixture.readers.readLong { try $0.countTo(10) } }
        let cancelled = Task { try await fixture.readers.readLong { try $0.countTo(10) } }
        try await eventually("two wait") { queue.length == 2 }
        cancelled.cancel()
        await expectError(.cancelled) { _ = try await cancelled.value }
        let limit: Duration = .milliseconds(50)
        await expectError(.queueFull(limit: limit)) {
            _ = try await fixture.readers.readLong(timeLimit: limit) { try $0.countTo(10) }
        }
        #expect(queue.length == 1)
        for other in others {
            other.cancel()
            await expectError(.cancelled) { try await other.value }
        }
        #expect(try await patient.value == 10)
        #expect(queue.length == 0)
    }

    @Test("Short reads continue while the maximum number of long reads runs")
    func shortReads() async throws {
        let fixture = try StoreFixture.lists()
        let others = try await occupy(fixture)
        for number in 0..<30 {
            try await fixture.insert(Animal(name: "\(number)"))
            #expect(try await fixture.count(Animal.self) == number + 1)
        }
        #expect(fixture.readers.longReads.length == 0)
        for other in others {
            other.cancel()
            await expectError(.cancelled) { try await other.value }
        }
    }

    @Test("Long reads take no threads from other tasks")
    func ownThreads() async throws {
        let fixture = try StoreFixture.lists()
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let readers = try ReaderPool(
            directory: fixture.directory, schema: fixture.schema, longReads: count, readLimit: Patience.bound)
        let end = Tally(), working = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await readers.readLongPatiently { _ in
                        working.add()
                        try blockUntil("all have begun") { end.value > 0 }
                    }
                }
            }
            // The read runs only if a thread is left for it.
            try await eventually("all work") { working.value == count }
            end.add()
            try await group.waitForAll()
        }
    }

    @Test("A short read that exceeds its limit is repeated as a long read")
    func shortOrLong() async throws {
        let fixture = try StoreFixture.lists()
        let attempts = Tally()
        let result = try await fixture.readers.readShortOrLong { connection in
            if attempts.add() == 1 { try connection.readForever() }
            return try connection.countTo(10)
        }
        #expect(result == 10)
        #expect(attempts.value == 2)
    }

    @Test(
        "Long reads that hold the log end at its bound, and new long reads wait until the log is empty",
        .onlySQLite("a log that long reads keep"))
    func logBound() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.insert(Animal(name: "first"))
        let bound = LogBound(admission: 8 << 20, limit: 12 << 20)
        // A place for each read: the second and the third enter the queue in any order.
        let readers = try ReaderPool(
            directory: fixture.directory, schema: fixture.schema, longReads: 3, logBound: bound)
        let begun = Tally()
        func hold() -> Task<Void, any Error> {
            Task {
                try await readers.readLongPatiently { connection in
                    try connection.snapshot {
                        _ = try RecordCountTable.count("Animal", in: connection)
                        begun.add()
                        try connection.readForever()
                    }
                }
            }
        }
        let first = hold()
        try await eventually("it has begun") { begun.value == 1 }
        try await fixture.store.configure { try $0.fill(11) }
        #expect(readers.log.isTooLargeToBegin)
        let second = Task { try await readers.readLongPatiently { try RecordCountTable.count("Animal", in: $0) } }
        await expectError(.heldLog) {
            _ = try await readers.readLong(timeLimit: .milliseconds(100)) { try $0.countTo(1) }
        }
        #expect(begun.value == 1)
        try await fixture.store.configure { try $0.fillAgain(6) }
        await expectError(.heldLog) { try await first.value }
        try await fixture.store.configure { try $0.file?.truncateLog() }
        #expect(try await second.value == 1)
        // The operation can be retried.
        let third = hold()
        try await eventually("it has begun again") { begun.value == 2 }
        third.cancel()
        await expectError(.cancelled) { try await third.value }
    }

    @Test(
        "A snapshot that reads the store ends with an error when the log exceeds its bound",
        .onlySQLite("a log that long reads keep"))
    func snapshotBound() async throws {
        let fixture = try StoreFixture.lists()
        await fixture.store.stopTimer()
        try await fixture.insert(Animal(name: "first"))
        let (directory, schema) = (fixture.directory, fixture.schema)
        func read(_ body: @escaping @Sendable (any Connection) throws -> Void) async throws {
            // The task that watches the log needs a thread of the cooperative pool.
            try await BlockingWork.run {
                try StoreCopy.reading(
                    directory, schema: schema, engine: StoreEngines.standard,
                    logBound: LogBound(admission: 8 << 20, limit: 12 << 20)
                ) { try body($0.connection) }
            }
        }
        await expectError(.heldLog) {
            try await read { connection in
                let writer = try StoreEngines.standard.openWriter(directory)
                defer { writer.close() }
                try writer.fill(17)
                try connection.readForever()
            }
        }
        await expectError(.heldLog) { try await read { _ in } }
    }

    @Test(
        "Choices and lookups that read a whole table are repeated as long reads",
        .onlySQLite("statements that begin although their time is over"))
    func wholeTables() async throws {
        let fixture = try StoreFixture.lists()
        // SQLite checks the time after 10,000 steps of its virtual machine, and each record takes several.
        let animals = (0..<5000).map { Animal(name: "Okapi \($0)") }
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: animals.map(\.insertion)))
        let runs = Tally()
        let engine = RecordingEngine { sql in
            if sql.contains(#"FROM "Animal""#) { runs.add() }
        }
        let readers = try ReaderPool(
            directory: fixture.directory, schema: fixture.schema, attemptLimit: .zero, engine: engine)
        let records = SQLRecordRepository(
            model: Animal.schema, schema: fixture.schema, readers: readers, writer: fixture.store)
        let before = runs.value
        #expect(try await records.choices(limit: 5000).count == 5000)
        #expect(runs.value == before + 2, "once in place, and once more as a long read")
        let found = try await records.ids(where: ["note": .null, "legs": .null], limit: 5000)
        #expect(found.count == 5000)
        #expect(runs.value == before + 4)
    }

    /// Starts as many endless reads as may run at the same time.
    private func occupy(_ fixture: StoreFixture) async throws -> [Task<Void, any Error>] {
        let working = Tally()
        let reads = (0..<2).map { _ in
            Task {
                try await fixture.readers.readLongPatiently { connection in
                    working.add()
                    try connection.readForever()
                }
            }
        }
        try await eventually("both work") { working.value == 2 }
        return reads
    }
}

extension ReaderPool {
    /// Runs a long read that the test ends, however long the machine pauses.
    fileprivate func readLongPatiently<T: Sendable>(
        _ body: @escaping @Sendable (any Connection) throws -> T
    ) async throws -> T {
        try await readLong(timeLimit: .seconds(3600), body)
    }
}

extension Connection {
    func readForever() throws {
        _ = try rows("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n") {
            $0.integer(0)
        }
    }

    func countTo(_ number: Int) throws -> Int {
        let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT max(i) FROM n"
        return try firstRow(sql, [.integer(Int64(number))]) { Int($0.integer(0)) } ?? 0
    }
}
