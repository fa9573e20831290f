import AviaryDomain
import Foundation
import TestSupport
import Testing

@testable import AviaryData

@Suite("Predicates compared with their evaluation in memory")
struct PredicateTests {
    static let seed = TestSeed.value

    @Test("Every kind of predicate finds the same of 300 random records as evaluate", arguments: [seed])
    func shapes(seed: UInt64) async throws {
        var menagerie = Menagerie(seed: seed)
        let creatures = menagerie.creatures(300)
        let fixture = try await StoreFixture.creatures(creatures)
        let repository = fixture.repository(Creature.self)
        let stored = try await repository.fetchAll()
        #expect(stored.count == 300)
        let encoded = stored.map { ($0.id, ByteText.encoded($0)) }
        #expect(PredicateShape.all.count >= 100)
        for shape in PredicateShape.all {
            let asked = shape.predicate { $0 }, oracle = shape.predicate(ByteText.encoded)
            let wanted = try encoded.filter { try oracle.evaluate($0.1) }.map(\.0)
            let found = try await repository.fetchIdentifiers(FetchDescriptor(predicate: asked))
            let isSame = found == wanted
            #expect(isSame, "\(shape.testDescription): \(found.count) of \(wanted.count), seed \(seed)")
            let count = try await repository.fetchCount(FetchDescriptor(predicate: asked))
            #expect(count == wanted.count, "\(shape.testDescription), seed \(seed)")
        }
    }

    @Test("Few kinds of predicates match all records or none")
    func discerning() throws {
        var menagerie = Menagerie(seed: 1)
        let creatures = menagerie.creatures(300).map(ByteText.encoded)
        let idle = try PredicateShape.all.filter { shape in
            let predicate = shape.predicate(ByteText.encoded)
            let count = try creatures.count { try predicate.evaluate($0) }
            return count == 0 || count == creatures.count
        }
        #expect(idle.count < 20, "\(idle.map(\.testDescription))")
    }

    @Test("Strings are compared by bytes and not by canonical equivalence")
    func bytes() async throws {
        let names = ["é", "e\u{301}", "e"]
        let fixture = try await StoreFixture.creatures(names.map { Creature(name: $0) })
        let repository = fixture.repository(Creature.self)
        for name in names {
            let found = try await repository.fetch(FetchDescriptor(predicate: #Predicate { $0.name == name }))
            #expect(found.map { Array($0.name.utf8) } == [Array(name.utf8)])
        }
        let part = try await repository.fetch(FetchDescriptor(predicate: #Predicate { $0.name.contains("e") }))
        #expect(part.count == 2)
    }
}

@Suite("Predicates with long lists")
struct LongListTests {
    @Test("A predicate can test membership in a list of 100,000 values")
    func members() async throws {
        let fixture = try await StoreFixture.creatures((0..<50).map { Creature(name: "\($0 * 1000)") })
        let names = (0..<100_000).map { "\($0)" }
        let found = try await fixture.repository(Creature.self).fetchCount(
            FetchDescriptor(predicate: #Predicate { names.contains($0.name) }))
        #expect(found == 50)
    }

    @Test("A list of more bytes than a connection queues finds its records with the first attempt")
    func firstAttempt() async throws {
        let fixture = try await StoreFixture.creatures((0..<50).map { Creature(name: "\($0 * 1000)") })
        let readers = try ReaderPool(
            directory: fixture.directory, schema: fixture.schema, readLimit: Patience.bound,
            attemptLimit: Patience.bound)
        defer { readers.close() }
        let creatures = Repository<Creature>(
            SQLRecordRepository(
                model: Creature.schema, schema: fixture.schema, readers: readers, writer: fixture.store), author: "test"
        )
        let names = (0..<20_000).map { "\($0 * 5)" }
        let listed = FetchDescriptor<Creature>(predicate: #Predicate { names.contains($0.name) })
        #expect(try await creatures.fetchCount(listed) == 50)
        #expect(try await creatures.fetch(listed).count == 50)
    }

    @Test("A predicate with a longer list is rejected with the limit")
    func refused() async throws {
        let fixture = try await StoreFixture.creatures([])
        let names = (0..<100_001).map { "\($0)" }
        let error = await #expect(throws: QueryError.self) {
            try await fixture.repository(Creature.self).fetch(
                FetchDescriptor(predicate: #Predicate { names.contains($0.name) }))
        }
        #expect(error?.description.contains("at most 100000") == true)
    }

    @Test("A predicate can combine 200 tests")
    func tests() async throws {
        let fixture = try await StoreFixture.creatures((0..<200).map { Creature(name: "<\($0)>") })
        let parts = (0..<200).map { "<\($0)>" }
        let creatures = fixture.repository(Creature.self)
        let any = #Predicate<Creature> { c in parts.contains { c.name.contains($0) } }
        let none = #Predicate<Creature> { c in parts.allSatisfy { $0 != c.name } }
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: any)) == 200)
        #expect(try await creatures.fetchCount(FetchDescriptor(predicate: none)) == 0)
    }
}

/// An encoding of texts for which Swift's comparison is the comparison of the original's bytes.
///
/// Each byte becomes one character that neither is equivalent to nor combines with another. So the result of
/// `evaluate(_:)` for encoded texts is the store's expected result for the originals.
enum ByteText {
    static func encoded(_ text: String) -> String {
        String(String.UnicodeScalarView(text.utf8.compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }))
    }

    static func encoded(_ creature: Creature) -> Creature {
        var creature = creature
        creature.name = encoded(creature.name)
        creature.nickname = creature.nickname.map(encoded)
        return creature
    }
}
