import Aviary

@Model
struct Animal {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    @Attribute(.required) var name: String
    var diet: Diet = .herbivorous
    var category: Reference<AnimalCategory>?
}

@Model
struct AnimalCategory {
    @Attribute(.unique, .required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals: Related<Animal>
}

@Model
struct Friend {
    @Attribute(.required) var name: String
    var birthday: CalendarDate = .today
}

/// A model that uses every option of its properties.
@Model
struct Supplier {
    #Unique<Supplier>([\.name, \.town])
    #Index<Supplier>([\.town, \.rating])

    @Attribute(.required, .length(1...40)) var name: String
    @Attribute(.length(...40)) var town = "Berlin"
    @Attribute(.range(0...5)) var rating = 3
    @Attribute(.pattern("[A-Z]{2}-[0-9]+", hint: "a code such as AB-12")) var code: String?
    @Attribute(.secret, .length(8...)) var accessKey: String?
    @Transient var lookedUp = 0

    var stars: String { String(repeating: "*", count: rating) }

    func validate() -> [FieldProblem] {
        if rating == 5, code == nil { return [FieldProblem(\Supplier.code, "Who has five stars needs a code.")] }
        if name == town { return [FieldProblem("A supplier is not a town.")] }
        return []
    }
}
