import Aviary

@Model
struct Animal {
    enum Diet: String, Choice { case herbivorous, carnivorous, omnivorous }

    @Attribute(.required) var name: String
    var diet: Diet = .herbivorous
    var category: Reference<AnimalCategory>?
}
