import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Lost connections to the database", .onlyPostgreSQL)
struct LostConnectionTests {
    private static let losses: [DatabaseProxy.Loss] = [
        .beforeCommit, .beforeCommitUnnoticed, .duringCommit, .afterCommit, .warning,
    ]

    @Test(
        "A batch whose connection is lost at its COMMIT is stored once, and each change set is answered once",
        arguments: losses)
    func atCommit(_ loss: DatabaseProxy.Loss) async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy), two = try hosts.open("two")
        _ = try await one.insert(Category(name: "Birds"))
        let sets = (0..<20).map { ChangeSet(Animal(name: "\($0)").insertion) }
        let refused = ChangeSet(Category(name: "Birds").insertion), discarded = UUID.version7()
        let ledger = Ledger()
        proxy.lose(loss)
        one.store.enqueue(
            (sets + [refused]).map { set in
                QueuedWrite(.submit(set), before: nil) { ledger.note(set.id, $0) }
            } + [QueuedWrite(.discard(draft: discarded), before: nil) { ledger.note(discarded, $0) }])
        // Another host writes meanwhile.
        let others = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<5 { group.addTask { try await two.insert(Animal(name: "other \(number)")).commit } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await eventually("all are answered") { ledger.count == sets.count + 2 }
        #expect(proxy.losses == 1)
        let answers = ledger.all
        #expect(answers.values.allSatisfy { $0.count == 1 })
        let receipts = try sets.map { try #require(try answers[$0.id]?.first?.get()) }
        #expect(Set(receipts.map(\.commit) + others) == Set(2...26))
        #expect(answers[refused.id]?.first?.error == .notUnique(model: "Category", property: "name"))
        #expect(answers[discarded]?.first?.isSuccess == true)
        // The receipts are those of the database, on every host.
        for (set, receipt) in zip(sets, receipts) {
            #expect(try await two.store.submit(set).commit == receipt.commit)
        }
        await #expect(throws: StoreError.alreadyDiscarded) {
            try await two.store.submit(ChangeSet(Animal(name: "stale").insertion, id: discarded))
        }
        #expect(try await one.records(Animal.self, hosts.schema).count() == 25)
        #expect(try await one.insert(Animal(name: "after")).commit == 27)
        try await hosts.expectConsistency(one)
    }

    @Test("A store whose session an administrator ends continues with the next change")
    func terminated() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one")
        for number in 0..<4 {
            let process = try #require(await one.store.connectionProcess())
            let pid = try #require(Int64(process.prefix { $0 != " " }))
            try hosts.run("SELECT pg_terminate_backend(?::integer)", .integer(pid))
            #expect(try await one.insert(Animal(name: "\(number)")).commit == Int64(number + 1))
        }
        try await hosts.expectConsistency(one)
    }

    @Test("A change set waits for a server that is away for a moment, and the store serves again without a restart")
    func comesBack() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        _ = try await one.insert(Animal(name: "before"))
        proxy.leave()
        async let receipt = one.insert(Animal(name: "during"))
        try await eventually("the store notices") { await one.store.isInOutage }
        proxy.comeBack()
        #expect(try await receipt.commit == 2)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 2)
        #expect(try await one.insert(Animal(name: "after")).commit == 3)
        try await hosts.expectConsistency(one)
    }

    @Test("While the server is away, a change set is refused at its deadline and nothing of it is stored")
    func deadline() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        proxy.leave()
        let set = ChangeSet(Animal(name: "late").insertion), ledger = Ledger()
        one.store.enqueue([
            QueuedWrite(.submit(set), before: .now.advanced(by: .milliseconds(50))) { ledger.note(set.id, $0) }
        ])
        try await eventually("it is answered") { ledger.count == 1 }
        #expect(ledger.all[set.id]?.first?.error == .expired)
        proxy.comeBack()
        #expect(try await one.insert(Animal(name: "after")).commit == 1)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 1)
    }

    @Test(
        "A change set whose COMMIT was not answered is never acknowledged while the server is away",
        arguments: [DatabaseProxy.Loss.beforeCommit, .duringCommit])
    func unknown(_ loss: DatabaseProxy.Loss) async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        _ = try await one.insert(Animal(name: "before"))
        let set = ChangeSet(Animal(name: "unknown").insertion), ledger = Ledger()
        proxy.lose(loss, thenLeave: true)
        one.store.enqueue([
            QueuedWrite(.submit(set), before: .now.advanced(by: .seconds(3))) { ledger.note(set.id, $0) }
        ])
        try await eventually("it is answered") { ledger.count == 1 }
        #expect(ledger.all[set.id]?.first?.error == .unanswered)
        proxy.comeBack()
        // The same change set tells what has happened, and is stored once.
        #expect(try await one.store.submit(set).commit == 2)
        #expect(try await one.insert(Animal(name: "after")).commit == 3)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 3)
        #expect(ledger.count == 1)
        try await hosts.expectConsistency(one)
    }

    @Test("A store that is closed while the server is away answers what waits")
    func closed() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        proxy.leave()
        async let refusal = try? one.insert(Animal(name: "waiting"))
        try await eventually("the store notices") { await one.store.isInOutage }
        await one.store.close()
        #expect(await refusal == nil)
    }

    @Test("Readers connect again after the server was away")
    func readers() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy), animals = one.records(Animal.self, hosts.schema)
        _ = try await one.insert(Animal(name: "Okapi"))
        #expect(try await animals.count() == 1)
        proxy.leave()
        #expect(throws: (any Error).self) { try one.readers.recordCounts() }
        proxy.comeBack()
        #expect(try await animals.count() == 1)
        #expect(one.readers.commits.version != nil || one.readers.commits.version != nil)
    }

    @Test("A long change continues after its connection was lost at any COMMIT", arguments: losses)
    func longChange(_ loss: DatabaseProxy.Loss) async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy, stepLimits: .smallest)
        let category = Category(name: "Birds")
        _ = try await one.insert(category)
        _ = try await one.store.submit(
            ChangeSet(author: "test", changes: (0..<10).map { Animal(name: "\($0)", category: category).insertion }))
        let ledger = Ledger(), set = ChangeSet(category.deletion)
        one.store.enqueue([QueuedWrite(.submit(set), before: nil) { ledger.note(set.id, $0) }])
        // Each of its steps has a COMMIT.
        for number in 1...6 {
            proxy.lose(loss)
            try await eventually("a step has its accident, or was the last one") {
                let isMaking = await one.store.isMakingLongChange
                return proxy.losses == number || ledger.count > 0 && !isMaking
            }
        }
        try await eventually("it is answered") { ledger.count > 0 }
        try await eventually("it is complete") { await !one.store.isMakingLongChange }
        #expect(try ledger.all[set.id]?.first?.get()?.commit == 3)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 0)
        #expect(try await one.insert(Animal(name: "after")).commit == 4)
        #expect(ledger.count == 1)
        try await hosts.expectConsistency(one)
    }
}

extension Store {
    var isInOutage: Bool { shared.outage != nil }
}
