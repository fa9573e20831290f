@testable import AviaryData
import AviaryDomain
import Foundation
import Testing

@Suite("Totals")
struct TotalTests {
    @Test("Totals are what SQLite counts, whatever was done", arguments: [1, 2, 3] as [UInt64])
    func always(seed: UInt64) async throws {
        let fixture = try StoreFixture.rules()
        var generator = SeededGenerator(seed: seed)
        var zones: [Zone] = []
        var cages: [Cage] = []
        var birds: [Bird] = []
        var keepers: [Keeper] = []
        for _ in 0..<60 {
            var sets: [ChangeSet] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                var changes: [Change] = []
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    switch Int.random(in: 0..<9, using: &generator) {
                    case 0: zones.append(Zone()); changes.append(zones[zones.count - 1].insertion)
                    case 1: keepers.append(Keeper()); changes.append(keepers[keepers.count - 1].insertion)
                    case 2:
                        guard let zone = zones.randomElement(using: &generator) else { continue }
                        cages.append(Cage(in: zone)); changes.append(cages[cages.count - 1].insertion)
                    case 3, 4:
                        birds.append(Bird(
                            in: cages.randomElement(using: &generator), mate: Bool.random(using: &generator) ? birds.randomElement(using: &generator) : nil,
                            keeper: keepers.randomElement(using: &generator)
                        ))
                        changes.append(birds[birds.count - 1].insertion)
                    case 5: if let bird = birds.randomElement(using: &generator) { changes.append(Permit(for: bird).insertion) }
                    case 6: if let zone = zones.randomElement(using: &generator) { changes.append(zone.deletion) }
                    case 7: if let keeper = keepers.randomElement(using: &generator) { changes.append(keeper.deletion) }
                    default: if let bird = birds.randomElement(using: &generator) { changes.append(bird.deletion) }
                    }
                }
                sets.append(ChangeSet(author: "test", changes: changes))
            }
            _ = try await fixture.submitTogether(sets)
            #expect(try await fixture.totalsMatch())
        }
        #expect(try fixture.readers.read { try $0.rows("PRAGMA foreign_key_check") { _ in 1 } }.isEmpty)
        #expect(try fixture.readers.read { try $0.pragma("integrity_check") } == "ok")
    }
}
