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

    @Test("Twenty change sets need as many exchanges with the server as one")
    func exchanges() async throws {
        let hosts = try Hosts(.lists()), proxy = try DatabaseProxy(server: hosts.server)
        let one = try hosts.open("one", through: proxy)
        // The statements are prepared.
        _ = try await one.insert(Category(name: "first"))
        func exchanges(_ names: [String]) async throws -> Int {
            let before = proxy.exchanges
            let sets = names.map { ChangeSet(Category(name: $0).insertion) }
            let answers = try await answers(to: sets, from: one)
            #expect(answers.values.allSatisfy { $0.first?.isSuccess == true })
            return proxy.exchanges - before
        }
        let single = try await exchanges(["second"])
        #expect(try await exchanges((0..<20).map { "\($0)" }) == single)
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
}

extension Array {
    /// Returns the elements from a position on, and then those before it.
    fileprivate func rotated(by count: Int) -> [Element] {
        let start = count % Swift.max(1, self.count)
        return Array(self[start...] + self[..<start])
    }
}
