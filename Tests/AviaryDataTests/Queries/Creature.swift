import AviaryDomain
import Foundation

/// A property of each kind, with and without nil.
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

    /// Not stored.
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
