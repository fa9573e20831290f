import AviaryDomain

/// A category of animals. The tests of this folder import animals with a unique name, in categories that an import
/// may create with them.
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
    var id = RecordID<Animal>()
    var name: String
    var category: Reference<Category>?

    static let schema = ModelSchema(
        Animal.self,
        [
            .init(\.name, "name", attributes: [.required, .unique]),
            .init(\.category, "category"),
        ])

    init(name: String, category: Category? = nil) {
        self.name = name
        self.category = category.map { Reference($0) }
    }

    init(from reader: inout FieldReader) throws {
        id = try reader.next("id")
        name = try reader.next("name")
        category = try reader.next("category")
    }

    func bind(to writer: inout FieldWriter) {
        writer.bind(id)
        writer.bind(name)
        writer.bind(category)
    }
}
