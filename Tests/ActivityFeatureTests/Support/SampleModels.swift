import AviaryDomain

/// A category of animals. The tests of this folder change animals in categories, with a secret and many-to-many
/// friends.
struct Category: Model {
    var id = RecordID<Category>()
    var name: String
    var animals = Related<Animal>()

    static let schema = ModelSchema(
        Category.self,
        [
            .init(\.name, "name", attributes: [.required]),
            .init(\.animals, "animals", relationship: .init(deleteRule: .cascade, inverse: \Animal.category)),
        ])

    init(name: String) { self.name = name }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
    }
}

struct Animal: Model {
    enum Diet: String, Choice { case herbivorous, carnivorous }

    var id = RecordID<Animal>()
    var name: String
    var diet: Diet
    var category: Reference<Category>?
    var chip: String?

    static let schema = ModelSchema(
        Animal.self,
        [
            .init(\.name, "name", attributes: [.required, .unique]),
            .init(\.diet, "diet"),
            .init(\.category, "category"),
            .init(\.chip, "chip", attributes: [.secret]),
        ])

    init(name: String, diet: Diet = .herbivorous, category: Category? = nil, chip: String? = nil) {
        self.name = name
        self.diet = diet
        self.category = category.map { Reference($0) }
        self.chip = chip
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        diet = try reader.next("diet")
        category = try reader.next("category")
        chip = try reader.next("chip")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(diet)
        writer.bind(category)
        writer.bind(chip)
    }
}

/// A model without a history.
struct Note: Model {
    var id = RecordID<Note>()
    var text: String

    static let schema = ModelSchema(Note.self, [.init(\.text, "text", attributes: [.required])])

    init(text: String) { self.text = text }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        text = try reader.next("text")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(text)
    }
}

extension Role {
    /// A role that sees changes of animals but not of categories.
    static let keeper = Role(
        "keeper", .allow(.view, .add, .edit, .delete, on: Animal.self), .task(.activity)
    )
    /// A role that changes everything but does not see the changes of others.
    static let worker = Role("worker", .allowEverywhere(.view, .add, .edit, .delete))
}
