import AviaryData
import AviaryDomain

/// A category of animals, for tests of lists, values and receipts.
struct Category: Model {
    var id = RecordID<Category>()
    var name: String
    var animals = Related<Animal>()

    static let schema = ModelSchema(
        Category.self,
        [
            .init(\.name, "name", attributes: [.unique, .required]),
            .init(\.animals, "animals", relationship: .init(deleteRule: .cascade, inverse: \Animal.category)),
        ])

    init(id: RecordID<Category> = .init(), name: String) {
        self.id = id
        self.name = name
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
    }
}

struct Animal: Model {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    var id: RecordID<Animal>
    var name: String
    var diet: Diet
    var category: Reference<Category>?
    var legs: Int?
    var weight: Double
    var note: String?
    var born: CalendarDate?

    static let schema = ModelSchema(
        Animal.self,
        [
            .init(\.name, "name", attributes: [.required]),
            .init(\.diet, "diet"),
            .init(\.category, "category"),
            .init(\.legs, "legs"),
            .init(\.weight, "weight"),
            .init(\.note, "note"),
            .init(\.born, "born"),
        ])

    init(
        id: RecordID<Animal> = .init(), name: String, diet: Diet = .herbivorous, category: Category? = nil,
        legs: Int? = nil, weight: Double = 1, note: String? = nil, born: CalendarDate? = nil
    ) {
        self.id = id
        self.name = name
        self.diet = diet
        self.category = category.map { Reference($0) }
        self.legs = legs
        self.weight = weight
        self.note = note
        self.born = born
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        diet = try reader.next("diet")
        category = try reader.next("category")
        legs = try reader.next("legs")
        weight = try reader.next("weight")
        note = try reader.next("note")
        born = try reader.next("born")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(name)
        writer.bind(diet)
        writer.bind(category)
        writer.bind(legs)
        writer.bind(weight)
        writer.bind(note)
        writer.bind(born)
    }
}

extension Schema {
    static func lists() throws -> Schema { try Schema([Category.schema, Animal.schema]) }
}

extension SortIndex {
    static let lists =
        [SortIndex(model: "Category", property: "name")]
        + ["name", "diet", "legs", "weight", "note", "born"].map { SortIndex(model: "Animal", property: $0) }
}
