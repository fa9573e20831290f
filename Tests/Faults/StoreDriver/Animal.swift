import AviaryDomain

/// The model of the callers' records. The name contains the caller and the step, and the note repeats the name.
struct Animal: Model {
    var id: RecordID<Animal>
    var name: String
    var note: String
    var keeper: Reference<Keeper>?

    static let schema = ModelSchema(
        Animal.self,
        [
            .init(\.name, "name", attributes: [.unique, .required]),
            .init(\.note, "note"),
            .init(\.keeper, "keeper"),
        ])

    init(id: RecordID<Animal>, name: String, noteLength: Int, keeper: Reference<Keeper>? = nil) {
        self.id = id
        self.name = name
        self.keeper = keeper
        note = String(repeating: name + " ", count: noteLength / (name.utf8.count + 1))
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        note = try reader.next("note")
        keeper = try reader.next("keeper")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(note)
        writer.bind(keeper)
    }
}

/// A model without records: the store rejects every reference to a keeper.
struct Keeper: Model {
    var id = RecordID<Keeper>()
    var name = ""

    static let schema = ModelSchema(Keeper.self, [.init(\.name, "name")])

    init() {}

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
    }

    func bind(to writer: inout FieldWriter) { writer.bind(name) }
}

extension Schema {
    static func driver() throws -> Schema {
        try Schema([Animal.schema, Keeper.schema])
    }
}
