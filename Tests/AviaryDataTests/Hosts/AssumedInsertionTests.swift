import AllTypesModel
import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Insertions whose answers the store does not await", .onlyPostgreSQL)
struct AssumedInsertionTests {
    private typealias Answers = [UUID: [Result<Receipt?, StoreError>]]

    /// Lets the store of a host run change sets in one batch, and returns their answers.
    private func answers(to sets: [ChangeSet], from host: Hosts.Host) async throws -> Answers {
        let ledger = Ledger()
        host.store.enqueue(sets.map { set in QueuedWrite(.submit(set), before: nil) { ledger.note(set.id, $0) } })
        try await eventually("all are answered") { ledger.count == sets.count }
        return ledger.all
    }

    @Test("Twenty change sets need as many exchanges with the server as one, also when they refer to records")
    func exchanges() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        let categories = (0..<3).map { Category(name: "category \($0)") }
        func exchanges(_ models: [any Model]) async throws -> Int {
            let before = proxy.exchanges
            let answers = try await answers(
                to: models.map { ChangeSet(id: .version7(), author: "test", changes: [$0.anyInsertion]) }, from: one)
            #expect(answers.values.allSatisfy { $0.first?.isSuccess == true })
            return proxy.exchanges - before
        }
        /// Returns the fewest exchanges of several batches. The first ones prepare statements, and one may trim expired rows.
        func fewest(_ count: Int, _ make: (Int) -> any Model) async throws -> Int {
            var least = Int.max
            for batch in 0..<4 {
                let numbers = (0..<count).map { (count * 4 + batch) * 100 + $0 }
                least = try await min(least, exchanges(numbers.map(make)))
            }
            return least
        }
        for category in categories { _ = try await exchanges([category]) }
        let category = try await fewest(1) { Category(name: "\($0)") }
        #expect(try await fewest(20) { Category(name: "\($0)") } == category)
        let animal = try await fewest(1) { Animal(name: "\($0)", category: categories[$0 % 3]) }
        #expect(try await fewest(20) { Animal(name: "\($0)", category: categories[$0 % 3]) } == animal)
        try await hosts.expectConsistency(one)
    }

    @Test("A record that refers to one that the same batch deletes is refused", arguments: [false, true])
    func deletedBefore(_ isUndo: Bool) async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one"), ledger = Ledger()
        let category = Category(name: "category")
        let commit = try await one.insert(category).commit
        let removal: WriteRequest =
            isUndo
            ? .undo(Undo(id: .version7(), commit: commit, author: "test"))
            : .submit(
                ChangeSet(
                    id: .version7(), author: "test",
                    changes: [.delete(model: "Category", id: category.id.uuid, version: nil)]))
        let (before, after) = (Animal(name: "before", category: category), Animal(name: "after", category: category))
        let other = isUndo ? Animal(name: "other") : before
        let requests = [.submit(ChangeSet(other.insertion)), removal, .submit(ChangeSet(after.insertion))]
        let ids = [other.id.uuid, category.id.uuid, after.id.uuid]
        one.store.enqueue(
            zip(requests, ids).map { request, id in QueuedWrite(request, before: nil) { ledger.note(id, $0) } })
        try await eventually("all are answered") { ledger.count == 3 }
        #expect(ledger.all[ids[0]]?.first?.isSuccess == true && ledger.all[ids[1]]?.first?.isSuccess == true)
        #expect(ledger.all[ids[2]]?.first?.error == .missingReference(model: "Animal", property: "category"))
        #expect(try hosts.texts("SELECT name FROM \"Category\"") == [])
        try await hosts.expectConsistency(one)
    }

    @Test("Rows of every type that one statement inserts are the rows that were sent")
    func types() async throws {
        let hosts = try Hosts(Schema([Exhibit.schema])), one = try hosts.open("one")
        var generator = TestSeed.generator(24)
        // The first rows of some groups have no values in some columns, and others only there.
        let exhibits = (0..<60).map { number in number % 7 == 3 ? Exhibit() : .random(using: &generator) } + [.greatest]
        let answers = try await answers(to: exhibits.map { ChangeSet($0.insertion) }, from: one)
        #expect(answers.values.allSatisfy { $0.first?.isSuccess == true })
        let repository = Repository<Exhibit>(one.records(Exhibit.self, hosts.schema), author: "test")
        for exhibit in exhibits { #expect(try await repository.find(exhibit.id) == exhibit) }
        try await hosts.expectConsistency(one)
    }

    @Test("Records of a batch refer to those before them, in whatever order the models are")
    func references() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one")
        let categories = (0..<40).map { Category(name: "\($0)") }
        let models: [any Model] = categories.enumerated().flatMap { number, category -> [any Model] in
            [
                category, Animal(name: "of \(number)", category: category),
                Animal(name: "of \(number / 2)", category: categories[number / 2]),
            ]
        }
        let lost = Animal(name: "lost", category: Category(name: "not stored"))
        let sets = (models + [lost]).map { ChangeSet(id: .version7(), author: "test", changes: [$0.anyInsertion]) }
        let answers = try await answers(to: sets, from: one)
        #expect(sets.dropLast().allSatisfy { answers[$0.id]?.first?.isSuccess == true })
        #expect(
            answers[sets[models.count].id]?.first?.error == .missingReference(model: "Animal", property: "category"))
        #expect(try await one.records(Animal.self, hosts.schema).count() == 80)
        try await hosts.expectConsistency(one)
    }

    @Test(
        "A collision after hundreds of insertions, beside a delete, an undo and a discarded draft, changes nothing else"
    )
    func lateCollision() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one"), ledger = Ledger()
        let (deleted, undone, draft) = (Category(name: "deleted"), Category(name: "undone"), UUID.version7())
        _ = try await one.insert(Category(name: "stored"), deleted)
        let commit = try await one.insert(undone).commit
        let sets = (0..<500).map { ChangeSet(Category(name: $0 == 450 ? "stored" : "new \($0)").insertion) }
        var requests = sets.map(WriteRequest.submit)
        let delete = ChangeSet(
            id: .version7(), author: "test", changes: [.delete(model: "Category", id: deleted.id.uuid, version: nil)])
        let undo = Undo(id: .version7(), commit: commit, author: "test")
        requests.insert(.submit(delete), at: 300)
        requests.insert(.undo(undo), at: 200)
        requests.insert(.discard(draft: draft), at: 100)
        let ids = requests.map { request in
            switch request {
            case .submit(let set): set.id
            case .undo(let undo): undo.id
            case .discard(let draft): draft
            }
        }
        one.store.enqueue(
            zip(requests, ids).map { request, id in QueuedWrite(request, before: nil) { ledger.note(id, $0) } })
        try await eventually("all are answered") { ledger.count == requests.count }
        for id in ids {
            #expect(ledger.all[id]?.count == 1)
            let error: StoreError? = id == sets[450].id ? .notUnique(model: "Category", property: "name") : nil
            #expect(ledger.all[id]?.first?.error == error)
        }
        let names = Set((0..<500).filter { $0 != 450 }.map { "new \($0)" } + ["stored"])
        #expect(try hosts.texts("SELECT name FROM \"Category\"") == names)
        #expect(try hosts.texts("SELECT id FROM aviary_discard") == [draft.canonicalText])
        try await hosts.expectConsistency(one)
    }

    @Test("A change set that repeats a unique value is refused, and the others of its batch are stored once")
    func collisions() async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one")
        _ = try await one.insert(Category(name: "stored"))
        var stored: Set = ["stored"]
        // More batches than the store awaits insertions in after a collision.
        for round in 0..<40 {
            // A change set with several changes is behind a savepoint. Each set is first, last and in the middle in some round.
            let names =
                [["a", "b"], ["new", "5"]] + (0..<6).map { ["\($0)"] } + [["stored"], ["3"]]
            let batch = names.map { $0.map { $0 == "stored" ? $0 : "\(round) \($0)" } }.rotated(by: round)
            let sets = batch.map { names in
                ChangeSet(id: .version7(), author: "test", changes: names.map { Category(name: $0).anyInsertion })
            }
            let answers = try await answers(to: sets, from: one)
            for (set, names) in zip(sets, batch) {
                #expect(answers[set.id]?.count == 1)
                // Of two change sets with one value, the first one is stored.
                if stored.isDisjoint(with: names) {
                    stored.formUnion(names)
                    #expect(answers[set.id]?.first?.isSuccess == true, "\(names)")
                } else {
                    #expect(
                        answers[set.id]?.first?.error == .notUnique(model: "Category", property: "name"), "\(names)")
                }
            }
            #expect(try await one.records(Category.self, hosts.schema).count() == stored.count)
        }
        #expect(try hosts.commits().count == Int(try #require(try hosts.commits().last)))
        try await hosts.expectConsistency(one)
    }

    @Test("What is acknowledged is stored when a statement fails that no one awaits", arguments: 1...6)
    func lateFailure(_ number: Int) async throws {
        let hosts = try Hosts(.lists()), one = try hosts.open("one")
        let stored = Category(name: "stored")
        _ = try await one.insert(stored)
        // One entry of the history fails, once: a sequence counts on after a rollback.
        try hosts.run("CREATE SEQUENCE entries")
        try hosts.run(
            """
            CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                IF nextval('\(hosts.name).entries') = \(number) THEN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END IF;
                RETURN NEW;
            END $$
            """)
        try hosts.run("CREATE TRIGGER fail BEFORE INSERT ON aviary_change FOR EACH ROW EXECUTE FUNCTION fail()")
        // Each is behind a savepoint, and the last one reads, so that the failure of an earlier one is found there.
        let pairs = (0..<3).map { pair in (0..<2).map { Category(name: "\(pair) \($0)") } }
        let sets = pairs.map { ChangeSet(id: .version7(), author: "test", changes: $0.map(\.anyInsertion)) }
        let last = ChangeSet(
            id: .version7(), author: "test",
            changes: [
                .delete(model: "Category", id: stored.id.uuid, version: nil), Category(name: "last").anyInsertion,
            ])
        let answers = try await answers(to: sets + [last], from: one)
        let names = try hosts.texts("SELECT name FROM \"Category\"")
        for (set, pair) in zip(sets, pairs) {
            let isAcknowledged = answers[set.id]?.first?.isSuccess == true
            for category in pair { #expect(names.contains(category.name) == isAcknowledged) }
        }
        #expect(names.contains("last") == (answers[last.id]?.first?.isSuccess == true))
        #expect(names.contains("stored") == (answers[last.id]?.first?.isSuccess != true))
        try await hosts.expectConsistency(one)
    }
}

extension Array {
    /// Returns the elements from a position on, and then those before it.
    fileprivate func rotated(by count: Int) -> [Element] {
        let start = count % Swift.max(1, self.count)
        return Array(self[start...] + self[..<start])
    }
}
