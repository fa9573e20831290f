import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Random links compared with a model in memory")
struct RandomLinkTests {
    @Test(
        "Random links, deletes and undos match the model, and the history replays to the same state",
        arguments: 0..<(Explore.isOn ? 12 : 4), [false, true]
    )
    func random(run: Int, inSteps: Bool) async throws {
        let seed = TestSeed.value &+ UInt64(run)
        let fixture = try StoreFixture.links(
            books: .init(deleteRule: .cascade),
            person: Person.declared(follows: .init(deleteRule: .cascade, inverse: \Person.followers)),
            stepLimits: inSteps ? .smallest : StepLimits()
        )
        var random = RandomLinks(seed: seed)
        var oracle = LinkOracle()
        /// The state before each commit, with the commit's number.
        var past: [(commit: Int64, before: LinkOracle)] = []
        for step in 0..<150 {
            if random.isUndo(), let last = past.popLast() {
                do {
                    try await fixture.undo(last.commit)
                    oracle = last.before
                } catch let error as StoreError where error.obstacles == [.notInHistory] {
                    #expect(
                        last.before == oracle,
                        "AVIARY_SEED=\(seed), step \(step): nothing was changed, so nothing can be undone")
                }
            } else {
                let changes = random.nextChanges()
                let expected = oracle.applying(changes)
                do throws(StoreError) {
                    let receipt = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
                    #expect(expected != nil, "AVIARY_SEED=\(seed), step \(step): stored what leads nowhere")
                    past.append((receipt.commit, oracle))
                    oracle = expected ?? oracle
                } catch {
                    guard error.code == .missingReference else {
                        Issue.record("AVIARY_SEED=\(seed), step \(step): \(error)")
                        continue
                    }
                    #expect(expected == nil, "AVIARY_SEED=\(seed), step \(step): refused though all ends are there")
                }
            }
            let records = try fixture.contents().values.reduce(into: Set<UUID>()) { $0.formUnion($1.keys) }
            #expect(records == Set(oracle.records.keys), "AVIARY_SEED=\(seed), step \(step)")
            #expect(try fixture.linkLines() == oracle.lines, "AVIARY_SEED=\(seed), step \(step)")
        }
        #expect(try await fixture.totalsMatch(), "AVIARY_SEED=\(seed)")
        #expect(try fixture.replayMatches(), "AVIARY_SEED=\(seed)")
        let check = DataCheck(data: fixture.directory.path, schema: fixture.schema, history: HistoryPolicy())
        #expect(try await check.run().problems == [], "AVIARY_SEED=\(seed)")
    }
}
