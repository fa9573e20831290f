import AviaryDomain
import CSQLite
import Foundation
import Synchronization
import Testing

@testable import AviaryData

@Suite("Receipts")
struct ReceiptTests {
    @Test("A repeated change set returns the first receipt and is not applied again")
    func repeated() async throws {
        let fixture = try StoreFixture.lists()
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        let first = try await fixture.store.submit(changeSet)
        let second = try await fixture.store.submit(changeSet)
        #expect(first == Receipt(changeSet: changeSet.id, commit: 1, isRepeat: false))
        #expect(second == Receipt(changeSet: changeSet.id, commit: 1, isRepeat: true))
        #expect(try await fixture.count(Animal.self) == 1)
    }

    @Test("The author and the cascade limit are not part of the content of a change set")
    func sameContent() async throws {
        let fixture = try StoreFixture.lists()
        let changes = [Animal(name: "Okapi").insertion]
        let id = UUID.version7()
        _ = try await fixture.store.submit(ChangeSet(id: id, author: "ada", changes: changes))
        let again = ChangeSet(id: id, author: "bob", changes: changes, cascadeLimit: 3)
        #expect(try await fixture.store.submit(again).isRepeat)
    }

    @Test("A known id with different content is rejected with the commit number")
    func otherContent() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        let id = UUID.version7()
        try await fixture.submit(animal.insertion, id: id)
        let others: [Change] = [
            Animal(id: animal.id, name: "okapi").insertion, Animal(name: "Okapi").insertion, animal.deletion,
            animal.update(from: 1), Animal(id: animal.id, name: "Okapi", note: "").insertion,
            Animal(id: animal.id, name: "").insertion,
        ]
        for other in others {
            #expect(await fixture.refusal(other, id: id) == .alreadySaved(commit: 1))
        }
        #expect(await fixture.refusal(animal.insertion, animal.deletion, id: id) == .alreadySaved(commit: 1))
        #expect(await fixture.refusal(id: id) == .alreadySaved(commit: 1))
    }

    @Test("A repeated insert does not restore a record that was deleted since")
    func afterDelete() async throws {
        let fixture = try StoreFixture.lists()
        let animal = Animal(name: "Okapi")
        let id = UUID.version7()
        try await fixture.submit(animal.insertion, id: id)
        try await fixture.submit(animal.deletion)
        #expect(try await fixture.submit(animal.insertion, id: id) == Receipt(changeSet: id, commit: 1, isRepeat: true))
        #expect(try await fixture.find(animal) == nil)
    }

    @Test("Receipts persist across a restart")
    func afterRestart() async throws {
        let temporary = TemporaryDirectory()
        let first = try StoreFixture(.lists(), in: temporary)
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        _ = try await first.store.submit(changeSet)
        await first.store.close()
        let second = try StoreFixture(.lists(), in: temporary)
        #expect(try await second.store.submit(changeSet) == Receipt(changeSet: changeSet.id, commit: 1, isRepeat: true))
    }

    @Test("Twenty copies of a change set in one batch store one record and return the same commit")
    func sameBatch() async throws {
        let fixture = try StoreFixture.lists()
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        let results = try await fixture.submitTogether(Array(repeating: changeSet, count: 20))
        let receipts = try #require(results[changeSet.id]).compactMap { try? $0.get() }
        #expect(await fixture.store.statistics.batches == 1)
        #expect(receipts.count == 20)
        #expect(Set(receipts.map(\.commit)) == [1])
        #expect(receipts.filter { !$0.isRepeat }.count == 1)
        #expect(try await fixture.count(Animal.self) == 1)
    }

    @Test("A repeat is not acknowledged if the commit of the first copy fails", .onlySQLite("a hook of commits"))
    func repeatWaits() async throws {
        let fixture = try StoreFixture.lists()
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        let results = try await fixture.submitTogether([changeSet, changeSet]) { connection in
            _ = sqlite3CommitFails(connection)
        }
        #expect(results[changeSet.id]?.compactMap { try? $0.get() }.isEmpty == true)
    }

    @Test("A discarded draft cannot be saved")
    func discarded() async throws {
        let fixture = try StoreFixture.lists()
        let ledger = SQLDraftLedger(readers: fixture.readers, writer: fixture.store)
        let draft = UUID.version7()
        #expect(try await ledger.outcome(ofDraft: draft) == nil)
        try await ledger.discard(draft: draft)
        try await ledger.discard(draft: draft)
        #expect(try await ledger.outcome(ofDraft: draft) == .discarded)
        #expect(await fixture.refusal(Animal(name: "Okapi").insertion, id: draft) == .alreadyDiscarded)
        #expect(await fixture.refusal(Animal(name: "").insertion, id: draft) == .alreadyDiscarded)
        #expect(try await fixture.count(Animal.self) == 0)
    }

    @Test("Of a save and a discard of a draft in one batch, the first takes effect", arguments: [true, false])
    func discardedInBatch(savesFirst: Bool) async throws {
        let fixture = try StoreFixture.lists()
        let draft = UUID.version7()
        let save = WriteRequest.submit(ChangeSet(Animal(name: "Okapi").insertion, id: draft))
        let (answers, continuation) = AsyncStream.makeStream(of: Result<Receipt?, StoreError>.self)
        let requests = savesFirst ? [save, .discard(draft: draft)] : [.discard(draft: draft), save]
        fixture.store.enqueue(requests.map { QueuedWrite($0, before: nil) { continuation.yield($0) } })
        var results: [Result<Receipt?, StoreError>] = []
        for await answer in answers.prefix(2) { results.append(answer) }
        #expect(await fixture.store.statistics.batches == 1)
        #expect(results.contains { $0.error == .alreadyDiscarded } == !savesFirst)
        #expect(try await fixture.count(Animal.self) == (savesFirst ? 1 : 0))
    }

    @Test("Discarding a stale copy of a saved draft has no effect")
    func savedThenDiscarded() async throws {
        let fixture = try StoreFixture.lists()
        let ledger = SQLDraftLedger(readers: fixture.readers, writer: fixture.store)
        let draft = UUID.version7()
        try await fixture.submit(Animal(name: "Okapi").insertion, id: draft)
        try await ledger.discard(draft: draft)
        #expect(try await ledger.outcome(ofDraft: draft) == .saved(commit: 1))
    }

    @Test("The store keeps a receipt for 8 days and trims the receipt with a commit a minute later")
    func trimming() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(
            .lists(), history: HistoryPolicy(maximumAge: .seconds(86_400)), now: { clock.withLock { $0 } })
        let old = ChangeSet(Animal(name: "old").insertion)
        _ = try await fixture.store.submit(old)
        func advance(_ seconds: Double) { clock.withLock { $0 += seconds } }
        advance(8 * 86_400 - 1)
        try await fixture.insert(Animal(name: "soon"))
        #expect(try await fixture.store.submit(old).isRepeat)
        advance(61)
        try await fixture.insert(Animal(name: "later"))
        let ledger = SQLDraftLedger(readers: fixture.readers, writer: fixture.store)
        #expect(try await ledger.outcome(ofDraft: old.id) == nil)
    }

    @Test("A trim that a failed COMMIT undoes is done with the next commit", .onlySQLite("a hook of commits"))
    func undoneTrim() async throws {
        let clock = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let fixture = try StoreFixture(
            .lists(), history: HistoryPolicy(maximumAge: .seconds(86_400)), now: { clock.withLock { $0 } })
        let old = ChangeSet(Animal(name: "old").insertion)
        _ = try await fixture.store.submit(old)
        clock.withLock { $0 += 8 * 86_400 + 61 }
        try await fixture.store.configure { _ = sqlite3CommitFails($0) }
        #expect(await fixture.refusal(Animal(name: "lost").insertion)?.code == .unavailable)
        try await fixture.store.configure { _ = sqlite3_commit_hook($0.handle, nil, nil) }
        try await fixture.insert(Animal(name: "next"))
        let ledger = SQLDraftLedger(readers: fixture.readers, writer: fixture.store)
        #expect(try await ledger.outcome(ofDraft: old.id) == nil)
    }

    @Test("The store looks for expired rows with the first commit, after 256 rows and after a minute")
    func schedule() {
        #expect(TrimSchedule().isDue(at: 0))
        var schedule = TrimSchedule(lastTime: 1_000_000)
        #expect(!schedule.isDue(at: 1_059_999))
        #expect(schedule.isDue(at: 1_060_000))
        schedule.rows = 255
        #expect(!schedule.isDue(at: 1_000_000))
        schedule.rows = 256
        #expect(schedule.isDue(at: 1_000_000))
    }
}
