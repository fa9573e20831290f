import AviaryDomain
import TestSupport

/// A generator of random inserts and deletes of the rule models. Many refer to deleted records, and many are
/// rejected.
struct RandomHistory {
    private var generator: SeededGenerator
    private var zones: [Zone] = []
    private var cages: [Cage] = []
    private var birds: [Bird] = []
    private var keepers: [Keeper] = []

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func nextChangeSets() -> [ChangeSet] {
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            let count = Int.random(in: 1...4, using: &generator)
            return ChangeSet(author: "test", changes: (0..<count).compactMap { _ in nextChange() })
        }
    }

    /// Returns the next change, or nil if there is no record to reference or to delete yet.
    private mutating func nextChange() -> Change? {
        switch Int.random(in: 0..<9, using: &generator) {
        case 0:
            let zone = Zone()
            zones.append(zone)
            return zone.insertion
        case 1:
            let keeper = Keeper()
            keepers.append(keeper)
            return keeper.insertion
        case 2:
            guard let zone = zones.randomElement(using: &generator) else { return nil }
            let cage = Cage(in: zone)
            cages.append(cage)
            return cage.insertion
        case 3, 4: return nextBird()
        case 5: return birds.randomElement(using: &generator).map { Permit(for: $0).insertion }
        case 6: return zones.randomElement(using: &generator)?.deletion
        case 7: return keepers.randomElement(using: &generator)?.deletion
        default: return birds.randomElement(using: &generator)?.deletion
        }
    }

    private mutating func nextBird() -> Change {
        let mate = Bool.random(using: &generator) ? birds.randomElement(using: &generator) : nil
        let bird = Bird(
            in: cages.randomElement(using: &generator), mate: mate, keeper: keepers.randomElement(using: &generator)
        )
        birds.append(bird)
        return bird.insertion
    }
}
