import Aviary
import AviaryLoadTest

@main
struct Zoo: LoadTestedApp {
    var admin: some Admin {
        ModelAdmin(Animal.self)
            .columns(\.name, \.diet, \.category)
            .search(\.name)
            .filters(\.diet, \.category)
        ModelAdmin(AnimalCategory.self)
        ModelAdmin(Friend.self)
    }
}

extension Zoo {
    /// The page of the feeding plan.
    var routes: [Route] { FeedingPlan.routes }

    /// English, and German with translations of the words of these models.
    var languages: [Language] {
        [
            .english,
            .german.adding([
                "animal": "Tier", "animals": "Tiere", "Animals": "Tiere",
                "animal category": "Tierkategorie", "animal categories": "Tierkategorien",
                "friend": "Freund", "friends": "Freunde",
                "Diet": "Ernährung", "Category": "Kategorie", "Birthday": "Geburtstag",
                "Herbivorous": "Pflanzenfresser", "Carnivorous": "Fleischfresser", "Omnivorous": "Allesfresser",
                "Feeding plan": "Futterplan",
                "Keepers see here who eats what. All animals are in the list of animals.":
                    "Hier steht, wer was frisst. Alle Tiere stehen in der Liste der Tiere.",
                "list of animals": "Liste der Tiere", "Nobody eats this.": "Das frisst niemand.",
                "Animal": "Tier", "Save as CSV": "Als CSV speichern", "Change a diet": "Ernährung ändern",
                "Select an animal": "Tier auswählen", "Change": "Ändern",
                "Select an animal, then its diet.": "Ein Tier auswählen, dann seine Ernährung.",
                "Your role can’t change what animals eat.": "Ihre Rolle kann die Ernährung nicht ändern.",
                "Your role doesn’t show what animals eat.": "Ihre Rolle zeigt die Ernährung nicht.",
                "Hay, leaves and fruit": "Heu, Blätter und Obst", "Meat and fish": "Fleisch und Fisch",
                "A bit of everything": "Von allem etwas",
            ]),
        ]
    }
}

extension Zoo {
    /// The initial records of `serve --demo`.
    var sampleData: [any Model] {
        let mammals = AnimalCategory(name: "Mammal")
        let birds = AnimalCategory(name: "Bird")
        let reptiles = AnimalCategory(name: "Reptile")
        let amphibians = AnimalCategory(name: "Amphibian")
        let fish = AnimalCategory(name: "Fish")
        let insects = AnimalCategory(name: "Insect")
        return [mammals, birds, reptiles, amphibians, fish, insects] + [
            Animal(name: "Dog", diet: .carnivorous, category: Reference(mammals)),
            Animal(name: "Gibbon", diet: .omnivorous, category: Reference(mammals)),
            Animal(name: "House cat", diet: .carnivorous, category: Reference(mammals)),
            Animal(name: "Okapi", diet: .herbivorous, category: Reference(mammals)),
            Animal(name: "Sloth", diet: .herbivorous, category: Reference(mammals)),
            Animal(name: "Flamingo", diet: .omnivorous, category: Reference(birds)),
            Animal(name: "Kakapo", diet: .herbivorous, category: Reference(birds)),
            Animal(name: "Gila monster", diet: .carnivorous, category: Reference(reptiles)),
            Animal(name: "Komodo dragon", diet: .carnivorous, category: Reference(reptiles)),
            Animal(name: "Painted turtle", diet: .omnivorous, category: Reference(reptiles)),
            Animal(name: "Axolotl", diet: .carnivorous, category: Reference(amphibians)),
            Animal(name: "Newt", diet: .carnivorous, category: Reference(amphibians)),
            Animal(name: "Salmon", diet: .carnivorous, category: Reference(fish)),
            Animal(name: "Atlas moth", diet: .herbivorous, category: Reference(insects)),
            Animal(name: "Tardigrade", diet: .omnivorous),
        ] + friends
    }

    private var friends: [any Model] {
        [
            ("Ada Lovelace", CalendarDate(year: 1815, month: 12, day: 10)),
            ("Charles Darwin", CalendarDate(year: 1809, month: 2, day: 12)),
            ("Maria Sibylla Merian", CalendarDate(year: 1647, month: 4, day: 2)),
        ].map { name, birthday in
            Friend(name: name, birthday: birthday ?? .today)
        }
    }
}
