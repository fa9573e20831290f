import AviaryDomain
import Testing

@Suite("Resolving the relations of a schema")
struct SchemaTests {
    @Test("A reference gets the delete rule of its inverse relation")
    func deleteRule() {
        #expect(zooSchema.foreignKeys.map(\.deleteRule) == [.cascade])
        #expect(zooSchema.foreignKeys(to: "AnimalCategory").map(\.property) == ["category"])
        #expect(zooSchema.foreignKeys(to: "Animal").isEmpty)
        #expect(zooSchema.model("Animal")?.name == "Animal" && zooSchema.model("Plant") == nil)
    }

    @Test("A reference without an inverse is set to nil, or denies the delete if it is not optional")
    func withoutInverse() throws {
        let owner = model("Owner", property("name", .string))
        let pet = model(
            "Pet", property("keeper", .toOne(model: "Owner"), isOptional: true),
            property("owner", .toOne(model: "Owner"))
        )
        #expect(try Schema([owner, pet]).foreignKeys.map(\.deleteRule) == [.nullify, .deny])
    }

    @Test("The fingerprint depends on the columns, but not on the order of the models")
    func fingerprint() throws {
        let reversed = try Schema([Animal.schema, AnimalCategory.schema])
        #expect(reversed.fingerprint == zooSchema.fingerprint)
        let one = try Schema([model("Thing", property("size", .integer))])
        let other = try Schema([model("Thing", property("size", .integer, isOptional: true))])
        #expect(one.fingerprint != other.fingerprint)
    }
}

@Suite("Schema errors")
struct SchemaErrorTests {
    @Test("A model cannot be registered twice")
    func twice() {
        #expect(
            message(Animal.schema, AnimalCategory.schema, Animal.schema)
                == "Animal is registered twice. Register each model once.")
    }

    @Test("The model of a relation must be registered")
    func notRegistered() {
        #expect(
            message(Animal.schema) == "Animal.category refers to AnimalCategory, which is not registered. "
                + "Add ModelAdmin(AnimalCategory.self) to the admin.")
        #expect(
            message(AnimalCategory.schema) == "AnimalCategory.animals relates to Animal, which is not registered. "
                + "Add ModelAdmin(Animal.self) to the admin.")
    }

    @Test("Two relations cannot share an inverse reference")
    func sharedInverse() {
        let options = RelationshipOptions(deleteRule: .deny, inverse: \Animal.category)
        let category = model(
            "AnimalCategory",
            property("animals", .toMany(model: "Animal"), relationship: options),
            property("favourites", .toMany(model: "Animal"), relationship: options)
        )
        #expect(
            message(category, Animal.schema) == "AnimalCategory.favourites has the same inverse Animal.category as "
                + "another relation. Give each relation a reference of its own.")
    }

    @Test(
        "A property cannot have a name that forms reserve",
        arguments: ["id", "version", "draft", "csrf", "return", "ID"])
    func reservedName(name: String) {
        #expect(
            message(model("Thing", property(name, .string)))
                == "Thing.\(name) has a name that forms use for themselves. "
                + "Rename the property.")
    }

    @Test("A property cannot have a name of SQLite's row number", arguments: ["rowid", "rowID", "_rowid_", "oid"])
    func rowNumberName(name: String) {
        #expect(
            message(model("Cow", property(name, .string))) == "Cow.\(name) has the name of a column that every table "
                + "of SQLite has. Rename the property.")
    }

    @Test("A property can have the name of a column of a text index", arguments: ["number", "rank", "Rank", "term"])
    func textIndexName(name: String) {
        #expect(message(model("Cow", property(name, .string))) == nil)
    }

    @Test("A property cannot have the prefix of the columns of the store", arguments: ["aviary_size", "Aviary_size"])
    func reservedPrefix(name: String) {
        #expect(
            message(model("Thing", property(name, .string))) == "Thing.\(name) begins with \"aviary_\", "
                + "which is kept for the store's own columns. Rename the property.")
    }

    @Test("Two properties cannot differ in case alone")
    func caseOnly() {
        #expect(
            message(model("Thing", property("name", .string), property("Name", .string))) == "Thing.Name has the same "
                + "name as another property, but for the case. Rename one: SQLite takes them for one column.")
    }

    @Test("A model cannot share an address with another model or with a page of the admin")
    func addresses() {
        #expect(
            message(model("AnimalCategory"), model("Animal_Category"))?.contains(
                "same address /admin/animal-categories") == true)
        #expect(message(model("Backup"))?.contains("/admin/backups, which the admin itself uses") == true)
    }

    @Test("mistakes in several models and properties are reported at once, a line for each")
    func several() {
        let thing = model(
            "Thing", property("id", .string), property("size", .integer, attributes: [.length(1...3)]),
            property("owner", .toOne(model: "Owner")))
        let box = model("Box", property("aviary_size", .string), property("lid", .toMany(model: "Lid")))
        #expect(
            message(thing, box)?.split(separator: "\n").map { $0.prefix { $0 != " " } } == [
                "Thing.id", "Thing.size", "Box.aviary_size", "Box.lid", "Thing.owner",
            ])
    }

    @Test("a mistake that follows from another one is not reported")
    func following() {
        let book = model(
            "Book",
            property(
                "authors", .toMany(model: "Person"), relationship: RelationshipOptions(inverse: \Animal.category)))
        #expect(message(book)?.split(separator: "\n").count == 1)
    }

    @Test("the mistakes of an error are errors themselves")
    func others() throws {
        let error = #expect(throws: SchemaError.self) {
            try Schema([model("Thing", property("id", .string), property("draft", .string)), model("Backup")])
        }
        #expect(error?.model == "Thing" && error?.property == "id")
        #expect(error?.others.map(\.model) == ["Thing", "Backup"])
    }

    private func message(_ models: ModelSchema...) -> String? {
        do {
            _ = try Schema(models)
            return nil
        } catch {
            return error.description
        }
    }
}
