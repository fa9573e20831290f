import Testing

@Suite("Expansion of @Model")
struct ModelExpansionTests {
    @Test("The macro generates id, initializers, schema, binding and conformance")
    func wholeModel() {
        expectExpansion(
            of: """
                @Model struct Animal {
                    @Attribute(.unique, .required) var name: String
                    var diet: Diet = .herbivorous
                    var category: Reference<AnimalCategory>?
                    var legs = 4 { didSet { print(legs) } }
                    var title: String { name }
                    static let limit = 3
                }
                """,
            """
            struct Animal {
                var name: String
                var diet: Diet = .herbivorous
                var category: Reference<AnimalCategory>?
                var legs = 4 { didSet { print(legs) } }
                var title: String { name }
                static let limit = 3

                var id: Aviary.RecordID<Self>

                init(name: String, diet: Diet = .herbivorous, category: Reference<AnimalCategory>? = nil, legs: Swift.Int = 4, id: Aviary.RecordID<Self> = Aviary.RecordID()) {
                    self.name = name
                    self.diet = diet
                    self.category = category
                    self.legs = legs
                    self.id = id
                }

                static let schema = Aviary.ModelSchema(
                    Self.self,
                    [
                        Aviary.PropertyDefinition(\\Self.name, "name", attributes: [.unique, .required]),
                        Aviary.PropertyDefinition(\\Self.diet, "diet", default: {
                                .herbivorous
                            }, attributes: []),
                        Aviary.PropertyDefinition(\\Self.category, "category", attributes: []),
                        Aviary.PropertyDefinition(\\Self.legs, "legs", default: {
                                4
                            }, attributes: []),
                    ]
                )

                init(from reader: inout Aviary.FieldReader) throws {
                    self.name = try reader.next("name")
                    self.diet = try reader.next("diet")
                    self.category = try reader.next("category")
                    self.legs = try reader.next("legs")
                    self.id = try reader.next("id")
                }

                func bind(to writer: inout Aviary.FieldWriter) {
                    writer.bind(self.name)
                    writer.bind(self.diet)
                    writer.bind(self.category)
                    writer.bind(self.legs)
                    writer.bind(self.id)
                }
            }

            extension Animal: Aviary.Model {
            }
            """
        )
    }

    @Test("A public struct gets public members, and a to-many relation has no parameter")
    func toManyRelation() {
        expectExpansion(
            of: """
                @Model public struct AnimalCategory {
                    @Relationship(deleteRule: .cascade, inverse: \\Animal.category)
                    public var animals: Related<Animal>
                }
                """,
            """
            public struct AnimalCategory {
                public var animals: Related<Animal>

                public var id: Aviary.RecordID<Self>

                public init(id: Aviary.RecordID<Self> = Aviary.RecordID()) {
                    self.animals = Aviary.Related()
                    self.id = id
                }

                public static let schema = Aviary.ModelSchema(
                    Self.self,
                    [
                        Aviary.PropertyDefinition(\\Self.animals, "animals", relationship: Aviary.RelationshipOptions(deleteRule: .cascade, inverse: \\Animal.category)),
                    ]
                )

                public init(from reader: inout Aviary.FieldReader) throws {
                    self.animals = try reader.next("animals")
                    self.id = try reader.next("id")
                }

                public func bind(to writer: inout Aviary.FieldWriter) {
                    writer.bind(self.animals)
                    writer.bind(self.id)
                }
            }

            extension AnimalCategory: Aviary.Model {
            }
            """
        )
    }

    @Test("A declared id and initializer are kept, and a stored name has no backticks")
    func ownMembers() {
        expectExpansion(
            of: """
                @Model struct Note {
                    var id: RecordID<Note>
                    var `default` = -1
                    init() { id = RecordID() }
                }
                """,
            """
            struct Note {
                var id: RecordID<Note>
                var `default` = -1
                init() { id = RecordID() }

                static let schema = Aviary.ModelSchema(
                    Self.self,
                    [
                        Aviary.PropertyDefinition(\\Self.`default`, "default", default: {
                                -1
                            }, attributes: []),
                    ]
                )

                init(from reader: inout Aviary.FieldReader) throws {
                    self.id = try reader.next("id")
                    self.`default` = try reader.next("default")
                }

                func bind(to writer: inout Aviary.FieldWriter) {
                    writer.bind(self.id)
                    writer.bind(self.`default`)
                }
            }

            extension Note: Aviary.Model {
            }
            """
        )
    }

    @Test("Options, constraints and indexes are part of the schema, and transient properties are not")
    func optionsAndGroups() {
        expectExpansion(
            of: """
                @Model struct Book {
                    #Unique<Book>([\\.title, \\.`default`], [\\.isbn])
                    #Index<Book>([\\.title])
                    @Attribute(.length(1...80), originalName: "name") var title: String
                    var `default` = 1
                    var isbn: String?
                    @Transient var searches = 0
                    @Transient var cache: [String: Int]?
                }
                """,
            """
            struct Book {
                var title: String
                var `default` = 1
                var isbn: String?
                var searches = 0
                var cache: [String: Int]?

                var id: Aviary.RecordID<Self>

                init(title: String, `default`: Swift.Int = 1, isbn: String? = nil, id: Aviary.RecordID<Self> = Aviary.RecordID()) {
                    self.title = title
                    self.`default` = `default`
                    self.isbn = isbn
                    self.id = id
                }

                static let schema = Aviary.ModelSchema(
                    Self.self,
                    [
                        Aviary.PropertyDefinition(\\Self.title, "title", attributes: [.length(1 ... 80), .originalName("name")]),
                        Aviary.PropertyDefinition(\\Self.`default`, "default", default: {
                                1
                            }, attributes: []),
                        Aviary.PropertyDefinition(\\Self.isbn, "isbn", attributes: []),
                    ],
                    uniqueConstraints: [[\\Self.title, \\Self.`default`], [\\Self.isbn]],
                    indexes: [[\\Self.title]]
                )

                init(from reader: inout Aviary.FieldReader) throws {
                    self.title = try reader.next("title")
                    self.`default` = try reader.next("default")
                    self.isbn = try reader.next("isbn")
                    self.id = try reader.next("id")
                }

                func bind(to writer: inout Aviary.FieldWriter) {
                    writer.bind(self.title)
                    writer.bind(self.`default`)
                    writer.bind(self.isbn)
                    writer.bind(self.id)
                }
            }

            extension Book: Aviary.Model {
            }
            """
        )
    }
}
