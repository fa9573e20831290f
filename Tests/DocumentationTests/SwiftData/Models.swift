import Aviary

// The models of the zoo, as in Sources/Zoo.

@Model
struct AnimalCategory {
    @Attribute(.unique, .required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals: Related<Animal>
}

@Model
struct Animal {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    @Attribute(.required) var name: String
    var diet: Diet = .herbivorous
    var category: Reference<AnimalCategory>?
}

@Model
struct Feeding {
    var animal: Reference<Animal>
    var day: CalendarDate = .today
    var isDone: Bool = false
}

/// The application whose store the tests write to.
struct Zoo: AviaryApp {
    var admin: some Admin {
        ModelAdmin(Animal.self)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Feeding.self)
    }
}
