import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Random predicates")
struct RandomPredicateTests {
    static let seed = TestSeed.value
    private static let count = Explore.isOn ? 1000 : 250
    /// The texts for which Swift's own comparison is the comparison of bytes.
    private static let plain = [
        "", "a", "A", "e", "é", "É", "K", "Kea", "kea", "KEA", "ß", "ss", "SS", "Σ", "ς", "İ", "ı", "日本", " ", "%", "_",
        "'", "Okapi",
    ]

    @Test("Random predicates that compare bytes find the same records as evaluate", arguments: [seed])
    func bytes(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed)
        try await compare(menagerie.creatures(60), seed, pieces: Menagerie.pieces, folds: false, ByteText.encoded)
    }

    @Test("Random predicates that ignore case and diacritics find the same records as evaluate", arguments: [seed])
    func folded(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed, pieces: Self.plain)
        try await compare(menagerie.creatures(60), seed, pieces: Self.plain, folds: true) { $0 }
    }

    private func compare(
        _ creatures: [Creature], _ seed: UInt64, pieces: [String], folds: Bool, _ text: @escaping (String) -> String
    ) async throws {
        let fixture = try await StoreFixture.creatures(creatures)
        let repository = fixture.repository(Creature.self)
        let stored = try await repository.fetchAll()
        let encoded = stored.map { folds ? $0 : ByteText.encoded($0) }
        var distinctive = 0
        for number in 0..<Self.count {
            let seed = seed &+ UInt64(number)
            let asked = PredicateGenerator.predicate(seed: seed, pieces: pieces, folds: folds) { $0 }
            let oracle = PredicateGenerator.predicate(seed: seed, pieces: pieces, folds: folds, text)
            let wanted = try encoded.filter { try oracle.evaluate($0) }.map(\.id)
            let found: [Creature.ID]
            do {
                found = try await repository.fetchIdentifiers(FetchDescriptor(predicate: asked))
            } catch let error as QueryError where error.advice.contains("left the range") {
                // The value is infinity minus infinity.
                continue
            }
            if !found.isEmpty, found.count < stored.count { distinctive += 1 }
            let isSame = found == wanted
            #expect(isSame, "\(found.count) of \(wanted.count), seed \(seed): \(asked)")
        }
        // Too many predicates without a distinctive result would make the comparison meaningless.
        #expect(distinctive > Self.count * 2 / 5, "\(distinctive)")
    }
}
