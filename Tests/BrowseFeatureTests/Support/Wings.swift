import AviaryDomain

/// A model whose deletes cascade to other records.
struct Wing: Model {
    var id = RecordID<Wing>()
    var name: String
    var birds = Related<Bird>()

    static let schema = ModelSchema(
        Wing.self,
        [
            PropertyDefinition(\.name, "name"),
            PropertyDefinition(
                \.birds, "birds", relationship: RelationshipOptions(deleteRule: .cascade, inverse: \Bird.wing)),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        birds = try reader.next("birds")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(birds)
    }
}

struct Bird: Model {
    var id = RecordID<Bird>()
    var wing: Reference<Wing>?

    static let schema = ModelSchema(Bird.self, [PropertyDefinition(\.wing, "wing")])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        wing = try reader.next("wing")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(wing)
    }
}

/// A model without a text property that could be its title.
struct Loan: Model {
    var id = RecordID<Loan>()
    var bird: Reference<Bird>?
    var wing: Reference<Wing>?
    var borrowed: CalendarDate?

    static let schema = ModelSchema(
        Loan.self,
        [
            PropertyDefinition(\.bird, "bird"), PropertyDefinition(\.wing, "wing"),
            PropertyDefinition(\.borrowed, "borrowed"),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        bird = try reader.next("bird")
        wing = try reader.next("wing")
        borrowed = try reader.next("borrowed")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(bird)
        writer.bind(wing)
        writer.bind(borrowed)
    }
}

/// A model whose deletes cascade to other records through links.
struct Ring: Model {
    var id = RecordID<Ring>()
    var name: String
    var ringers = Related<Ringer>()

    static let schema = ModelSchema(
        Ring.self,
        [
            PropertyDefinition(\.name, "name"),
            PropertyDefinition(
                \.ringers, "ringers", relationship: RelationshipOptions(deleteRule: .cascade, inverse: \Ringer.rings)),
        ])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        ringers = try reader.next("ringers")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(ringers)
    }
}

struct Ringer: Model {
    var id = RecordID<Ringer>()
    var rings = Related<Ring>()

    static let schema = ModelSchema(
        Ringer.self, [PropertyDefinition(\.rings, "rings", relationship: RelationshipOptions())])

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        rings = try reader.next("rings")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(rings)
    }
}
