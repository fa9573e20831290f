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
