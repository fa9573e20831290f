import AviaryDomain
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("History retention")
struct HistoryRetentionTests {
    @Test("Entries above the maximum age are trimmed, and their receipts are kept for 8 days")
    func age() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(
            .lists(), history: HistoryPolicy(maximumAge: .seconds(3600)), now: { clock.withLock { $0 } }
        )
        let first = ChangeSet(Animal(name: "first").insertion)
        _ = try await fixture.store.submit(first)
        clock.withLock { $0 += 3601 }
        try await fixture.insert(Animal(name: "second"))
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.number) == [2])
        #expect(await fixture.undoRefusal(of: 1) == [.notInHistory])
        #expect(try await fixture.store.submit(first).isRepeat)
        #expect(try await fixture.count(Animal.self) == 2)
        clock.withLock { $0 += 9 * 86_400 }
        try await fixture.insert(Animal(name: "third"))
        #expect(try fixture.rowCount("aviary_commit") == 1)
    }

    @Test("The oldest entries are trimmed when the history exceeds its maximum size")
    func size() async throws {
        let limit = 100_000
        let fixture = try StoreFixture(.lists(), history: HistoryPolicy(maximumSize: limit))
        let note = String(repeating: "n", count: 1000)
        for number in 0..<150 { try await fixture.insert(Animal(name: "\(number)", note: note)) }
        let kept = try await fixture.history.commits(HistoryQuery(limit: 1000))
        #expect((50..<100).contains(kept.count))
        #expect(kept.first?.number == 150)
        #expect(await fixture.store.position.historySize <= limit)
    }

    @Test("Trimming keeps up with large commits, and maintenance trims the rest")
    func largeCommits() async throws {
        let limit = 50_000
        let fixture = try StoreFixture(.rules(), history: HistoryPolicy(maximumSize: limit))
        await fixture.store.stopTimer()
        for _ in 0..<20 {
            _ = try await fixture.store.submit(
                ChangeSet(author: "ada", changes: (0..<200).map { _ in Keeper().insertion }))
        }
        // The last commit may exceed the limit, but no earlier ones remain.
        #expect(try fixture.rowCount("aviary_change") < 500)
        _ = try await fixture.store.submit(
            ChangeSet(author: "ada", changes: (0..<9000).map { _ in Keeper().insertion }))
        var steps = 0
        while await fixture.store.maintenanceStep() == .trimmed { steps += 1 }
        #expect(steps > 0)
        #expect(await fixture.store.position.historySize <= limit)
        await fixture.store.close()
    }

    @Test("Receipts of models without history are trimmed after 8 days, also behind recorded commits")
    func mixedReceipts() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(
            .lists(), history: HistoryPolicy().excluding("Animal"), now: { clock.withLock { $0 } }
        )
        try await fixture.insert(Category(name: "kept"))
        for number in 0..<50 { try await fixture.insert(Animal(name: "\(number)")) }
        clock.withLock { $0 += 9 * 86_400 }
        for number in 0..<10 { try await fixture.insert(Animal(name: "later \(number)")) }
        #expect(try fixture.rowCount("aviary_commit") == 11)
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.number) == [1])
    }

    @Test("The recorded size of the history is exact, also after a restart")
    func sizeIsExact() async throws {
        let temporary = TemporaryDirectory()
        let first = try StoreFixture(.rules(), history: HistoryPolicy(maximumSize: 20_000), in: temporary)
        var random = RandomHistory(seed: 7)
        for _ in 0..<60 { _ = try await first.submitTogether(random.nextChangeSets()) }
        await first.store.close()
        let second = try StoreFixture(.rules(), history: HistoryPolicy(maximumSize: 20_000), in: temporary)
        try await second.insert(Keeper())
        let rows = try second.readers.read { try $0.rows("SELECT fields FROM aviary_change") { $0.text(0) ?? "" } }
        #expect(!rows.isEmpty)
        #expect(await second.store.position.historySize == rows.reduce(0) { $0 + ChangeTable.size(fields: $1) })
    }

    @Test("A partly trimmed commit is not listed and cannot be undone")
    func partOfACommit() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(
            .rules(), history: HistoryPolicy(maximumAge: .seconds(3600)), now: { clock.withLock { $0 } }
        )
        _ = try await fixture.store.submit(ChangeSet(author: "ada", changes: (0..<100).map { _ in Zone().insertion }))
        // The timer would trim the rest.
        await fixture.store.stopTimer()
        clock.withLock { $0 += 3601 }
        try await fixture.insert(Keeper())
        #expect((1..<100).contains(try fixture.rowCount("aviary_change") - 1))
        #expect(try await fixture.history.commits(HistoryQuery()).map(\.number) == [2])
        #expect(try await fixture.history.commits(HistoryQuery(models: ["Zone"])).isEmpty)
        #expect(await fixture.undoRefusal(of: 1) == [.notInHistory])
    }

    @Test("Entry numbers are never reused, even if no entry remains")
    func numbers() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let temporary = TemporaryDirectory()
        let policy = HistoryPolicy(maximumAge: .seconds(1))
        let first = try StoreFixture(.lists(), history: policy, in: temporary, now: { clock.withLock { $0 } })
        try await first.insert(Animal(name: "one"), Animal(name: "two"))
        clock.withLock { $0 += 2 }
        try await first.store.discard(draft: .version7())
        await first.store.close()
        let second = try StoreFixture(.lists(), history: policy, in: temporary, now: { clock.withLock { $0 } })
        try await second.insert(Animal(name: "three"))
        #expect(try second.readers.read { try $0.rows("SELECT number FROM aviary_change") { $0.integer(0) } } == [3])
    }
}
