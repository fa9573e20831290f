import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Stores of several hosts", .onlyPostgreSQL)
struct SharedStoreTests {
    @Test("Hosts that write in turn continue each other's numbers, and see each other's records")
    func inTurn() async throws {
        let hosts = try Hosts(.lists()), (one, two) = (try hosts.open("one"), try hosts.open("two"))
        var numbers: [Int64] = []
        for turn in 0..<6 {
            let host = turn.isMultiple(of: 2) ? one : two
            numbers.append(try await host.insert(Animal(name: "\(turn)")).commit)
            #expect(try await one.records(Animal.self, hosts.schema).count() == turn + 1)
            #expect(try await two.records(Animal.self, hosts.schema).count() == turn + 1)
        }
        #expect(numbers == [1, 2, 3, 4, 5, 6])
        try await hosts.expectConsistency(one)
    }

    @Test("Hosts that write at once number their commits without a gap, and lose none")
    func atOnce() async throws {
        let hosts = try Hosts(.lists())
        let stores = [try hosts.open("one"), try hosts.open("two"), try hosts.open("three")]
        let receipts = try await withThrowingTaskGroup(of: [Receipt].self) { group in
            for (number, host) in stores.enumerated() {
                for caller in 0..<8 {
                    group.addTask {
                        var receipts: [Receipt] = []
                        for change in 0..<5 {
                            receipts.append(try await host.insert(Animal(name: "\(number) \(caller) \(change)")))
                        }
                        return receipts
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(receipts.map(\.commit).sorted() == Array(1...120))
        #expect(try await stores[0].records(Animal.self, hosts.schema).count() == 120)
        try await hosts.expectConsistency(stores[1])
    }

    @Test("An update of a version that another host has replaced is a conflict, and no increment is lost")
    func increments() async throws {
        let hosts = try Hosts(.lists()), stores = [try hosts.open("one"), try hosts.open("two")]
        let animal = Animal(name: "Okapi", legs: 0)
        _ = try await stores[0].insert(animal)
        let conflicts = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for host in stores {
                group.addTask {
                    var left = 20
                    while left > 0 {
                        guard let record = try await host.records(Animal.self, hosts.schema).find(animal.id.uuid)
                        else { throw UnexpectedResult() }
                        var next = try Animal(record)
                        next.legs = (next.legs ?? 0) + 1
                        do throws(StoreError) {
                            _ = try await host.store.submit(ChangeSet(next.update(from: record.version)))
                            left -= 1
                        } catch {
                            guard error.code == .conflict else { throw error }
                            conflicts.add()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let record = try #require(try await stores[0].records(Animal.self, hosts.schema).find(animal.id.uuid))
        #expect(try Animal(record).legs == 40)
        try await hosts.expectConsistency(stores[0])
    }

    @Test("A host that removes expired history between commits continues the numbers of the others")
    func trimmedHistory() async throws {
        let hosts = try Hosts(.lists()), clock = MovableClock(), two = try hosts.open("two", clock: clock)
        let one = try hosts.open("one", history: HistoryPolicy(maximumAge: .seconds(MovableClock.day)), clock: clock)
        for number in 0..<3 { _ = try await one.insert(Animal(name: "one \(number)")) }
        for number in 0..<3 { _ = try await two.insert(Animal(name: "two \(number)")) }
        // Otherwise the timer could trim first.
        await one.store.stopTimer()
        clock.pass(3 * MovableClock.day)
        #expect(await one.store.maintenanceStep() == .trimmed)
        #expect(try hosts.numbers("SELECT count(*) FROM aviary_change WHERE commit <= 3") == [0])
        #expect(try await one.insert(Animal(name: "one again")).commit == 7)
        #expect(try await two.insert(Animal(name: "two again")).commit == 8)
        #expect(try hosts.numbers("SELECT count(DISTINCT number) FROM aviary_change") == [5])
    }

    @Test("A value that must be unique is unique among all hosts")
    func unique() async throws {
        let hosts = try Hosts(.lists()), stores = [try hosts.open("one"), try hosts.open("two")]
        let outcomes = await withTaskGroup(of: Result<Receipt, any Error>.self) { group in
            for (number, host) in stores.enumerated() {
                for _ in 0..<10 {
                    group.addTask {
                        do { return .success(try await host.insert(Category(name: "Birds"))) } catch {
                            return .failure(number == 0 ? error : error)
                        }
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count(where: \.isSuccess) == 1)
        #expect(
            outcomes.compactMap { $0.error as? StoreError }
                == Array(repeating: .notUnique(model: "Category", property: "name"), count: 19))
        try await hosts.expectConsistency(stores[1])
    }

    @Test("A change set that is sent again to another host returns the first receipt")
    func receipts() async throws {
        let hosts = try Hosts(.lists()), (one, two) = (try hosts.open("one"), try hosts.open("two"))
        let changeSet = ChangeSet(Animal(name: "Okapi").insertion)
        let first = try await one.store.submit(changeSet), again = try await two.store.submit(changeSet)
        #expect(again.commit == first.commit && again.isRepeat)
        let draft = UUID.version7()
        try await one.store.discard(draft: draft)
        await #expect(throws: StoreError.alreadyDiscarded) {
            try await two.store.submit(ChangeSet(Animal(name: "Kea").insertion, id: draft))
        }
        #expect(try await one.records(Animal.self, hosts.schema).count() == 1)
    }

    @Test("A commit of one host can be undone on another")
    func undo() async throws {
        let hosts = try Hosts(.lists()), (one, two) = (try hosts.open("one"), try hosts.open("two"))
        let receipt = try await one.insert(Animal(name: "Okapi"))
        let undone = try await two.store.undo(Undo(commit: receipt.commit, author: "test"))
        #expect(undone.commit == 2)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 0)
        try await hosts.expectConsistency(one)
    }

    @Test("Hosts that open an empty database at once share one store")
    func opening() async throws {
        let hosts = try Hosts(.lists())
        let stores = try await withThrowingTaskGroup(of: Hosts.Host.self) { group in
            for number in 0..<4 { group.addTask { try await BlockingWork.run { try hosts.open("\(number)") } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, host) in stores.enumerated() {
            #expect(try await host.insert(Animal(name: "\(number)")).commit == Int64(number + 1))
        }
    }

    @Test("A host with other models changes those of the database, and a host with the former ones stops")
    func otherModels() async throws {
        let old = try Schema.made(.made("name", .string))
        let new = try Schema.made(.made("name", .string), .made("note", .string, optional: true))
        let hosts = try Hosts(old), stopped = Mutex<[String]>([])
        let one = try hosts.open("one", onFatalError: { reason in stopped.withLock { $0.append(reason) } })
        func insertion(_ name: String) -> ChangeSet {
            ChangeSet(.insert(model: "Animal", id: .version7(), values: ["name": .text(name)]))
        }
        _ = try await one.store.submit(insertion("Okapi"))
        let two = try hosts.open("two", new)
        await #expect(throws: StoreError.self) { try await one.store.submit(insertion("Kea")) }
        #expect(stopped.withLock { $0.first }?.contains("has changed the models") == true)
        #expect(try await two.store.submit(insertion("Emu")).commit == 2)
    }

    @Test("A large delete of one host hides its rows from the others at once, and they continue to write")
    func longChange() async throws {
        let hosts = try Hosts(.lists()),
            (one, two) = (try hosts.open("one", stepLimits: .smallest), try hosts.open("two"))
        let category = Category(name: "Birds")
        _ = try await one.insert(category)
        _ = try await one.store.submit(
            ChangeSet(author: "test", changes: (0..<30).map { Animal(name: "\($0)", category: category).insertion }))
        let receipt = try await one.store.submit(ChangeSet(category.deletion))
        #expect(receipt.commit == 3)
        #expect(try await two.records(Animal.self, hosts.schema).count() == 0)
        #expect(try await two.insert(Animal(name: "Okapi")).commit == 4)
        try await eventually("the delete is complete") { await !one.store.isMakingLongChange }
        #expect(try await two.insert(Animal(name: "Kea")).commit == 5)
        #expect(try await two.records(Animal.self, hosts.schema).count() == 2)
        try await hosts.expectConsistency(two)
    }

    @Test("While one host replaces the contents, the others wait, and no acknowledged change is lost")
    func replacement() async throws {
        let hosts = try Hosts(.lists()), (one, two) = (try hosts.open("one"), try hosts.open("two"))
        let kept = try await two.insert(Animal(name: "kept"))
        let holder = UUID()
        try await one.store.acquireWriteLease(for: holder)
        async let waiting = two.insert(Animal(name: "waiting"))
        // The other store builds the contents that take the place of these.
        let path = one.directory.path + "/replacement/store.sqlite"
        try FileManager.default.createDirectory(
            atPath: one.directory.path + "/replacement", withIntermediateDirectories: true)
        let builder = try StoreBuilder(path: path, schema: hosts.schema, sortIndexes: [], engine: one.engine)
        try builder.finish(commit: 1, nil)
        #expect(try hosts.commits() == [kept.commit])
        let commit = try await one.store.replaceContents(
            withStoreAt: path, keepingReplacedAt: ReplacedStore.path(in: one.directory, for: holder), holder: holder)
        #expect(try await waiting.commit == commit + 1)
        #expect(try await one.insert(Animal(name: "after")).commit == commit + 2)
        #expect(try await one.records(Animal.self, hosts.schema).count() == 2)
        #expect(try await two.records(Animal.self, hosts.schema).count() == 2)
        #expect(try one.readers.restoreEpoch() == two.readers.restoreEpoch())
    }

    @Test("Contents are not replaced after another host has saved something that would be lost")
    func refusedReplacement() async throws {
        let hosts = try Hosts(.lists()), (one, two) = (try hosts.open("one"), try hosts.open("two"))
        let holder = UUID()
        try await one.store.acquireWriteLease(for: holder)
        // As after a lease that lasted too long.
        try hosts.run("UPDATE aviary_store SET holder = NULL")
        let saved = try await two.insert(Animal(name: "saved"))
        let path = one.directory.path + "/replacement/store.sqlite"
        try FileManager.default.createDirectory(
            atPath: one.directory.path + "/replacement", withIntermediateDirectories: true)
        let builder = try StoreBuilder(path: path, schema: hosts.schema, sortIndexes: [], engine: one.engine)
        try builder.finish(commit: 1, nil)
        await #expect(throws: StoreError.self) {
            try await one.store.replaceContents(
                withStoreAt: path, keepingReplacedAt: ReplacedStore.path(in: one.directory, for: holder), holder: holder
            )
        }
        #expect(try await one.records(Animal.self, hosts.schema).count() == 1)
        #expect(try await one.insert(Animal(name: "after")).commit == saved.commit + 1)
    }

    @Test("The schemas of restores that were given up are removed by the next start of their host")
    func abandoned() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one")
        let directory = one.directory.path + "/gone", path = directory + "/store.sqlite"
        // The directory of a restore exists as long as the restore.
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let builder = try StoreBuilder(path: path, schema: hosts.schema, sortIndexes: [], engine: one.engine)
        try builder.finish(commit: 1, nil)
        let built = "SELECT count(*) FROM pg_namespace WHERE obj_description(oid, 'pg_namespace') LIKE '%\(path)'"
        #expect(try hosts.numbers(built) == [1])
        try FileManager.default.removeItem(atPath: directory)
        await one.store.close()
        one.readers.close()
        _ = try hosts.open("one")
        #expect(try hosts.numbers(built) == [0])
    }
}
