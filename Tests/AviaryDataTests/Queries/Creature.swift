import AviaryDomain
import Foundation
import TestSupport

@testable import AviaryData

/// A model with a property of each kind, optional and not.
struct Creature: Model {
    enum Diet: String, Choice {
        case herbivorous, carnivorous, omnivorous

        var eatsMeat: Bool { self != .herbivorous }
        var portions: Int { rawValue.utf8.count }
        var other: Diet? { self == .omnivorous ? nil : .omnivorous }
    }

    var id = RecordID<Creature>()
    var name = ""
    var nickname: String?
    var age = 0
    var legs: Int?
    var weight = 1.0
    var height: Double?
    var isTame = false
    var isTagged: Bool?
    var diet = Diet.herbivorous
    var secondDiet: Diet?
    var born = CalendarDate.today
    var moved: CalendarDate?
    var seen = Date(timeIntervalSince1970: 0)
    var fed: Date?
    var tag = UUID.version7()
    var mate: Reference<Creature>?

    /// The first letter of the name, which is not stored.
    var shortName: String { String(name.prefix(1)) }
    var parent: RecordID<Creature> { mate?.id ?? id }

    static let schema = ModelSchema(
        Creature.self,
        [
            .init(\.name, "name"), .init(\.nickname, "nickname"), .init(\.age, "age"), .init(\.legs, "legs"),
            .init(\.weight, "weight"), .init(\.height, "height"), .init(\.isTame, "isTame"),
            .init(\.isTagged, "isTagged"),
            .init(\.diet, "diet"), .init(\.secondDiet, "secondDiet"), .init(\.born, "born"), .init(\.moved, "moved"),
            .init(\.seen, "seen"), .init(\.fed, "fed"), .init(\.tag, "tag"), .init(\.mate, "mate"),
        ])

    init(name: String = "") { self.name = name }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        nickname = try reader.next("nickname")
        age = try reader.next("age")
        legs = try reader.next("legs")
        weight = try reader.next("weight")
        height = try reader.next("height")
        isTame = try reader.next("isTame")
        isTagged = try reader.next("isTagged")
        diet = try reader.next("diet")
        secondDiet = try reader.next("secondDiet")
        born = try reader.next("born")
        moved = try reader.next("moved")
        seen = try reader.next("seen")
        fed = try reader.next("fed")
        tag = try reader.next("tag")
        mate = try reader.next("mate")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(nickname)
        writer.bind(age)
        writer.bind(legs)
        writer.bind(weight)
        writer.bind(height)
        writer.bind(isTame)
        writer.bind(isTagged)
        writer.bind(diet)
        writer.bind(secondDiet)
        writer.bind(born)
        writer.bind(moved)
        writer.bind(seen)
        writer.bind(fed)
        writer.bind(tag)
        writer.bind(mate)
    }
}

/// A generator of random creatures with few distinct values, so that predicates match some of them.
struct Menagerie {
    static let pieces = [
        "", "a", "A", "e", "é", "e\u{301}", "\u{301}", "K", "Kea", "kea", "Okapi", "ß", "ss", "🦉", "🏳️‍🌈", " ", "%", "_",
        "'", "日本", "\u{FEFF}",
    ]
    static let tags = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8($0) &* 85)) }
    /// A time in whole milliseconds, like stored dates.
    static let noon = Date(timeIntervalSince1970: 1_700_000_000.125)

    /// Returns the time that many milliseconds later, as a store returns it.
    static func noon(plus milliseconds: Int) -> Date {
        let date = noon.addingTimeInterval(Double(milliseconds) / 1000)
        return (try? Date(fieldValue: date.fieldValue)) ?? date  // A date of this century can be stored.
    }

    private var generator: SeededGenerator
    private let pieces: [String]

    init(seed: UInt64, pieces: [String] = Self.pieces) {
        generator = SeededGenerator(seed: seed)
        self.pieces = pieces
    }

    mutating func creatures(_ count: Int) -> [Creature] {
        var creatures: [Creature] = []
        for _ in 0..<count { creatures.append(creature(among: creatures)) }
        return creatures.shuffled(using: &generator)
    }

    private mutating func creature(among others: [Creature]) -> Creature {
        var creature = Creature()
        creature.name = text()
        creature.nickname = maybe { $0.text() }
        creature.age = integer()
        creature.legs = maybe { $0.integer() }
        creature.weight = number()
        creature.height = maybe { $0.number() }
        creature.isTame = .random(using: &generator)
        creature.isTagged = maybe { .random(using: &$0.generator) }
        creature.diet = Creature.Diet.allCases.randomElement(using: &generator) ?? .omnivorous
        creature.secondDiet = maybe { Creature.Diet.allCases.randomElement(using: &$0.generator) } ?? nil
        creature.born = day()
        creature.moved = maybe { $0.day() }
        creature.seen = moment()
        creature.fed = maybe { $0.moment() }
        creature.tag = Self.tags.randomElement(using: &generator) ?? UUID()
        creature.mate = maybe { others.randomElement(using: &$0.generator).map { Reference($0) } } ?? nil
        return creature
    }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        Int.random(in: 0..<3, using: &generator) == 0 ? nil : value(&self)
    }

    private mutating func text() -> String {
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
            .joined()
    }

    private mutating func integer() -> Int { .random(in: -6...12, using: &generator) }

    private mutating func number() -> Double { Double(Int.random(in: -20...40, using: &generator)) / 4 }

    private mutating func day() -> CalendarDate {
        CalendarDate(
            year: .random(in: 2019...2021, using: &generator), month: .random(in: 1...3, using: &generator), day: 1)
            ?? .today
    }

    private mutating func moment() -> Date {
        Self.noon(plus: .random(in: -3...3, using: &generator))
    }
}

extension StoreFixture {
    /// Creates a store with these creatures.
    static func creatures(_ creatures: [Creature]) async throws -> StoreFixture {
        let fixture = try StoreFixture(Schema([Creature.schema]))
        _ = try await fixture.store.submit(ChangeSet(author: "test", changes: creatures.map(\.insertion)))
        return fixture
    }

    func repository<M: Model>(_ model: M.Type) -> Repository<M> {
        Repository(records(model), author: "test")
    }
}
