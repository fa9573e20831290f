import AviaryDomain

/// A model whose records take others along by their links.
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
