import Aviary

/// The zoo's animal with more or fewer properties. It is written by hand, because its properties are known only at
/// start.
struct Animal: Model {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    var id = RecordID<Animal>()
    var name = ""
    var diet = Diet.herbivorous
    var category: Reference<AnimalCategory>?
    // The additional properties are alternately optional and with a default value.
    var nickname: String?
    var legs = 4
    var keeperName: String?
    var isRare = false
    var origin: String?
    var cage = 1

    static let schema = ModelSchema(Self.self, definitions)

    private static var definitions: [PropertyDefinition<Animal>] {
        let growth = Growth.own
        var definitions = [PropertyDefinition(\Self.name, "name", attributes: [.required])]
        if !growth.hasLostDiet { definitions.append(PropertyDefinition(\Self.diet, "diet", default: { .herbivorous })) }
        definitions.append(PropertyDefinition(\Self.category, "category"))
        let more: [PropertyDefinition<Animal>] = [
            PropertyDefinition(\Self.nickname, "nickname"),
            PropertyDefinition(\Self.legs, "legs", default: { 4 }),
            PropertyDefinition(\Self.keeperName, "keeperName"),
            PropertyDefinition(\Self.isRare, "isRare", default: { false }),
            PropertyDefinition(\Self.origin, "origin"),
            PropertyDefinition(\Self.cage, "cage", default: { 1 }),
        ]
        return definitions + more.prefix(growth.properties)
    }

    init(from reader: inout FieldReader) throws {
        let growth = Growth.own
        id = try reader.next("id")
        name = try reader.next("name")
        if !growth.hasLostDiet { diet = try reader.next("diet") }
        category = try reader.next("category")
        if growth.properties > 0 { nickname = try reader.next("nickname") }
        if growth.properties > 1 { legs = try reader.next("legs") }
        if growth.properties > 2 { keeperName = try reader.next("keeperName") }
        if growth.properties > 3 { isRare = try reader.next("isRare") }
        if growth.properties > 4 { origin = try reader.next("origin") }
        if growth.properties > 5 { cage = try reader.next("cage") }
    }

    func bind(to writer: inout FieldWriter) {
        let growth = Growth.own
        writer.bind(id)
        writer.bind(name)
        if !growth.hasLostDiet { writer.bind(diet) }
        writer.bind(category)
        if growth.properties > 0 { writer.bind(nickname) }
        if growth.properties > 1 { writer.bind(legs) }
        if growth.properties > 2 { writer.bind(keeperName) }
        if growth.properties > 3 { writer.bind(isRare) }
        if growth.properties > 4 { writer.bind(origin) }
        if growth.properties > 5 { writer.bind(cage) }
    }
}

@Model
struct AnimalCategory {
    @Attribute(.unique, .required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals: Related<Animal>
}

/// The zoo's friend, whose name can be unique.
struct Friend: Model {
    var id = RecordID<Friend>()
    var name = ""
    var birthday = CalendarDate.today

    static let schema = ModelSchema(
        Self.self,
        [
            PropertyDefinition(
                \Self.name, "name", attributes: Growth.own.hasUniqueFriends ? [.unique, .required] : [.required]),
            PropertyDefinition(\Self.birthday, "birthday", default: { .today }),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        birthday = try reader.next("birthday")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(birthday)
    }
}

/// A model that exists if there is at least one additional property.
@Model
struct Keeper {
    @Attribute(.required) var name: String
}
