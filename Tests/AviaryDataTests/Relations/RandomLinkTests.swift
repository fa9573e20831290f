import AviaryDomain
import Foundation
import Testing

@testable import AviaryData

@Suite("Links at random, beside a plain model in memory")
struct RandomLinkTests {
    @Test(
        "Links, unlinks, deletes and undos leave what the rules say, and the history tells all of it", arguments: 0..<12
    )
    func random(_: Int) async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed of random links: \(seed)")
        let fixture = try StoreFixture.links(
            books: .init(deleteRule: .cascade),
            person: Person.declared(follows: .init(deleteRule: .cascade, inverse: \Person.followers))
        )
        var random = RandomLinks(seed: seed)
        var oracle = LinkOracle()
        /// The states before each commit, with its number.
        var past: [(commit: Int64, before: LinkOracle)] = []
        for step in 0..<150 {
            if random.isUndo(), let last = past.popLast() {
                do {
                    try await fixture.undo(last.commit)
                    oracle = last.before
                } catch StoreError.undoRefused(_, [.notInHistory]) {
                    #expect(
                        last.before == oracle,
                        "seed \(seed), step \(step): nothing was changed, so nothing can be undone")
                }
            } else {
                let changes = random.nextChanges()
                let expected = oracle.applying(changes)
                do throws(StoreError) {
                    let receipt = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
                    #expect(expected != nil, "seed \(seed), step \(step): stored what leads nowhere")
                    past.append((receipt.commit, oracle))
                    oracle = expected ?? oracle
                } catch {
                    guard case .missingReference = error else {
                        Issue.record("seed \(seed), step \(step): \(error)")
                        continue
                    }
                    #expect(expected == nil, "seed \(seed), step \(step): refused though all ends are there")
                }
            }
            let records = try fixture.contents().values.reduce(into: Set<UUID>()) { $0.formUnion($1.keys) }
            #expect(records == Set(oracle.records.keys), "seed \(seed), step \(step)")
            #expect(try fixture.linkLines() == oracle.lines, "seed \(seed), step \(step)")
        }
        #expect(try await fixture.totalsMatch(), "seed \(seed)")
        #expect(try fixture.replayMatches(), "seed \(seed)")
    }
}
