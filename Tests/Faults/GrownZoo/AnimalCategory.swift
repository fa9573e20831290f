import Aviary

@Model
struct AnimalCategory {
    @Attribute(.unique, .required) var name: String
    @Relationship(deleteRule: .cascade, inverse: \Animal.category)
    var animals: Related<Animal>
}
