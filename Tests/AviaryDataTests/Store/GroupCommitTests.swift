import AviaryDomain
import CSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Group commit")
struct GroupCommitTests {
    @Test("The store counts the waits and durations of its work by kind")
    func workTimes() async throws {
        let fixture = try StoreFixture.lists()
        let first = try await fixture.insert(Animal(name: "Okapi"))
        try await fixture.submit(Animal(name: "Kea").insertion)
        _ = try await fixture.store.submit(
            ChangeSet(author: "test", changes: (0..<101).map { Animal(name: "Animal \($0)").insertion }))
        try await fixture.undo(first.commit)
        let holder = UUID()
        try await fixture.store.acquireWriteLease(for: holder)
        await fixture.store.releaseWriteLease(for: holder)
        let work = try #require(await fixture.store.statistics.measures.work)
        #expect(Set(work.keys) == Set(StoreWork.allCases.map(\.rawValue)))
        for (kind, count) in [(StoreWork.save, 2), (.bulk, 1), (.undo, 1)] {
            #expect(work[kind.rawValue]?.waits.counts.reduce(0, +) == UInt64(count), "\(kind)")
            #expect(work[kind.rawValue]?.durations.counts.reduce(0, +) == UInt64(count), "\(kind)")
        }
        let hold = work[StoreWork.hold.rawValue]
        #expect(hold?.waits.counts.reduce(0, +) == 0 && hold?.durations.counts.reduce(0, +) == 1)
    }

    @Test("64 change sets submitted together share one transaction")
    func sharing() async throws {
        let fixture = try StoreFixture.lists()
        for round in 0..<10 {
            let sets = (0..<64).map { ChangeSet(Animal(name: "\(round).\($0)").insertion) }
            let results = try await fixture.submitTogether(sets)
            #expect(results.values.joined().count(where: \.isSuccess) == 64)
            #expect(await fixture.store.statistics.batches == round + 1)
        }
        #expect(try await fixture.count(Animal.self) == 640)
    }

    @Test("Change sets of many concurrent callers are each stored once")
    func concurrent() async throws {
        _ = try await batchesOfConcurrentChangeSets(callers: 64, each: 3)
    }

    // If other work delays the callers, there is nothing to share.
    @Test(
        "Concurrent callers share far fewer transactions than they submit change sets",
        .enabled(if: Explore.isOn, "How many come back in time depends on what else the machine does."))
    func sharingAmongCallers() async throws {
        #expect(try await batchesOfConcurrentChangeSets(callers: 64, each: 10) < 640 / 4)
    }

    private func batchesOfConcurrentChangeSets(callers: Int, each count: Int) async throws -> Int {
        let fixture = try StoreFixture.lists()
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in 0..<count {
                        _ = try? await fixture.insert(Animal(name: "\(caller).\(number)"))
                    }
                }
            }
        }
        let statistics = await fixture.store.statistics
        #expect(statistics.commits == callers * count)
        #expect(statistics.waiting == 0)
        #expect(try await fixture.count(Animal.self) == callers * count)
        return statistics.batches
    }

    @Test("Commit numbers have no gaps and never repeat")
    func numbers() async throws {
        let fixture = try StoreFixture.lists()
        let sets =
            (0..<64).map { ChangeSet(Animal(name: "\($0)").insertion) }
            + (0..<16).map { _ in ChangeSet(Animal(name: "").insertion) }
        var generator = TestSeed.generator()
        let results = try await fixture.submitTogether(sets.shuffled(using: &generator)).values.joined()
        #expect(results.compactMap { try? $0.get().commit }.sorted() == Array(1...64))
    }

    @Test("A rejected change set in the middle of a batch fails alone")
    func failsAlone() async throws {
        let fixture = try StoreFixture.lists()
        try await fixture.insert(Category(name: "Taken"))
        let orphan = Animal(name: "Orphan", category: Category(name: "never stored"))
        let bad = [
            ChangeSet(Animal(name: "half").insertion, Category(name: "Taken").insertion),
            ChangeSet(Animal(name: "half").insertion, orphan.insertion),
        ]
        let good = (0..<30).map { ChangeSet(Animal(name: "\($0)").insertion) }
        let results = try await fixture.submitTogether((good[..<15] + bad + good[15...]).map { $0 })
        #expect(await fixture.store.statistics.batches == 2)
        #expect(good.allSatisfy { results[$0.id]?.first?.isSuccess == true })
        #expect(results[bad[0].id]?.first?.error == .notUnique(model: "Category", property: "name"))
        #expect(results[bad[1].id]?.first?.error == .missingReference(model: "Animal", property: "category"))
        #expect(try await fixture.count(Animal.self) == 30)
        #expect(try await fixture.totalsMatch())
    }

    @Test("A rejected bulk change set in the middle of a batch fails alone and changes nothing", arguments: [0, 1, 2])
    func rejectedBulk(place: Int) async throws {
        let fixture = try StoreFixture.lists(), okapi = Animal(name: "Okapi")
        try await fixture.insert(okapi)
        let many = (0..<150).map { Animal(name: "Of many \($0)").insertion }
        var sets = ["Kea", "Emu"].map { ChangeSet(Animal(name: $0).insertion) }
        let rejected = ChangeSet(author: "test", changes: many + [okapi.insertion])
        sets.insert(rejected, at: place)
        let results = try await fixture.submitTogether(sets)
        for set in sets { #expect(results[set.id]?.map(\.isSuccess) == [set.id != rejected.id], "\(place)") }
        #expect(try await fixture.count(Animal.self) == 3)
        #expect(try await fixture.totalsMatch())
        try await fixture.submit(many[0])
        #expect(try await fixture.count(Animal.self) == 4)
        #expect(await fixture.store.statistics.commits == 4)
    }

    @Test(
        "A change set that fills the disk does not affect the others in its batch", .onlySQLite("a limit of its pages"))
    func diskFull() async throws {
        let fixture = try StoreFixture.lists()
        let large = ChangeSet(Animal(name: "large", note: String(repeating: "x", count: 900_000)).insertion)
        let good = (0..<20).map { ChangeSet(Animal(name: "\($0)").insertion) }
        let results = try await fixture.submitTogether(good + [large]) { connection in
            let pages = Int(try connection.pragma("page_count")) ?? 0
            try connection.run("PRAGMA max_page_count=\(pages + 50)")
        }
        #expect(good.allSatisfy { results[$0.id]?.first?.isSuccess == true })
        #expect(results[large.id]?.first?.error == .outOfSpace)
        #expect(try await fixture.count(Animal.self) == 20)
        #expect(try await fixture.totalsMatch())
        // No restart is needed after space becomes available.
        try await fixture.store.configure { try $0.run("PRAGMA max_page_count=1000000") }
        #expect(try await fixture.store.submit(large).commit == 21)
    }

    @Test(
        "A change set that rolls back the transaction does not affect the others in its batch",
        .onlySQLite("a hook of updates"))
    func transactionLost() async throws {
        let fixture = try StoreFixture(.lists(), sortIndexes: SortIndex.lists, stepLimits: .none)
        let category = Category(name: "Birds")
        try await fixture.insert(category)
        _ = try await fixture.store.submit(
            ChangeSet(
                author: "test", changes: (0..<3000).map { Animal(name: "\($0)", category: category).insertion }
            ))
        let heavy = ChangeSet(category.deletion)
        let good = (0..<20).map { ChangeSet(Animal(name: "\($0)").insertion) }
        let rollbacks = RollbackCounter()
        let results = try await fixture.submitTogether(good + [heavy]) { connection in
            rollbacks.follow(connection)
            interruptDeletes(of: connection)
        }
        #expect(rollbacks.count > 0)
        #expect(good.allSatisfy { results[$0.id]?.first?.isSuccess == true })
        guard results[heavy.id]?.first?.error?.code == .unavailable else {
            Issue.record("the heavy one was not refused")
            return
        }
        #expect(try await fixture.count(Animal.self) == 3020)
        #expect(try await fixture.totalsMatch())
    }

    @Test(
        "A batch that repeatedly loses its transaction is rejected, and nothing is stored",
        .onlySQLite("a hook of updates"))
    func lostAgain() async throws {
        let fixture = try StoreFixture.lists()
        let categories = (0..<6).map { Category(name: "\($0)") }
        for category in categories {
            let animals = (0..<1000).map { Animal(name: "\($0)", category: category).insertion }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: [category.insertion] + animals))
        }
        let rollbacks = RollbackCounter()
        let results = try await fixture.submitTogether(categories.map { ChangeSet($0.deletion) }) { connection in
            rollbacks.follow(connection)
            interruptDeletes(of: connection)
        }
        #expect(rollbacks.count > 3)
        #expect(results.values.joined().compactMap { try? $0.get() }.isEmpty)
        #expect(try await fixture.count(Animal.self) == 6000)
        try await fixture.store.configure { _ = sqlite3_update_hook($0.handle, nil, nil) }
        try await fixture.insert(Animal(name: "after"))
        #expect(try await fixture.totalsMatch())
    }

    @Test("A failed COMMIT acknowledges no change set, and the store continues", .onlySQLite("a hook of commits"))
    func failedCommit() async throws {
        let fixture = try StoreFixture.lists()
        let sets = (0..<20).map { ChangeSet(Animal(name: "\($0)").insertion) }
        let results = try await fixture.submitTogether(sets) { connection in
            _ = sqlite3_commit_hook(connection.handle, { _ in 1 }, nil)
        }
        #expect(results.values.joined().allSatisfy { $0.error?.code == .unavailable })
        #expect(try await fixture.count(Animal.self) == 0)
        try await fixture.store.configure { _ = sqlite3_commit_hook($0.handle, nil, nil) }
        #expect(try await fixture.store.submit(sets[0]).commit == 1)
        #expect(try await fixture.totalsMatch())
    }

    @Test(
        "The store acknowledges nothing after a failed flush", .onlySQLite("a log that can be replaced"),
        arguments: [
            "/dev/null",  // The device accepts writes and fails at fdatasync.
            "/dev/zero",  // The second device behaves in the same way.
        ])
    func failedFlush(device: String) async throws {
        let reported = Mutex<[String]>([])
        let fixture = try StoreFixture(.lists(), onFatalError: { message in reported.withLock { $0.append(message) } })
        let before = Animal(name: "before")
        try await fixture.insert(before)
        #expect(try replaceOpenFile(fixture.directory.storePath + "-wal", with: device) > 0)
        guard await fixture.refusal(Animal(name: "lost").insertion)?.code == .unavailable else {
            Issue.record("a change set was acknowledged without a flush")
            return
        }
        #expect(reported.withLock { $0.count } == 1)
        #expect(reported.withLock { $0.first }?.contains("COMMIT") == true)
        guard case .unavailable(let reason) = await fixture.refusal(Animal(name: "later").insertion)?.reason else {
            Issue.record("the store went on")
            return
        }
        #expect(reason.contains("stopped"))
        #expect(reported.withLock { $0.count } == 1)
    }

    @Test("A batch is bounded by the number of records that its jobs change")
    func boundedByWork() async throws {
        let fixture = try StoreFixture(.rules(), stepLimits: .none)
        let zones = (0..<3).map { _ in Zone() }
        for zone in zones {
            let cages = (0..<5000).map { _ in Cage(in: zone).insertion }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: [zone.insertion] + cages))
        }
        let before = await fixture.store.statistics.batches
        let results = try await fixture.submitTogether(zones.map { ChangeSet($0.deletion) })
        #expect(results.values.flatMap { $0 }.filter(\.isSuccess).count == zones.count)
        // Two change sets of 5,001 records fill one batch.
        #expect(await fixture.store.statistics.batches - before == 2)
        #expect(try await fixture.totalsMatch())
    }

    @Test("Submissions above the queue limit are rejected as busy")
    func bounded() async throws {
        let fixture = try StoreFixture.lists()
        let holder = UUID(), answered = Tally()
        // While writes are held, nothing leaves the queue.
        try await fixture.store.acquireWriteLease(for: holder)
        let insertion = ChangeSet(Animal(name: "Okapi").insertion)
        fixture.store.enqueue(
            (0..<4096).map { _ in QueuedWrite(.submit(insertion), before: .now) { _ in answered.add() } })
        #expect(fixture.store.backlog.jobCount == 4096)
        #expect(await fixture.refusal(Animal(name: "One too many").insertion) == .busy(retryAfter: 2))
        await fixture.store.releaseWriteLease(for: holder)
        try await eventually("all are answered") { answered.value == 4096 }
        #expect(fixture.store.backlog.jobCount == 0)
        #expect(try await fixture.insert(Animal(name: "There is room")).commit == 1)
        #expect(try await fixture.count(Animal.self) == 1)
    }
}
