import Aviary

extension Zoo {
    /// English as its models have it, and German with their words.
    var languages: [Language] {
        [
            .english,
            .german.adding([
                "animal": "Tier", "animals": "Tiere", "Animals": "Tiere",
                "animal category": "Tierkategorie", "animal categories": "Tierkategorien",
                "friend": "Freund", "friends": "Freunde",
                "Diet": "Ernährung", "Category": "Kategorie", "Birthday": "Geburtstag",
                "Herbivorous": "Pflanzenfresser", "Carnivorous": "Fleischfresser", "Omnivorous": "Allesfresser",
            ]),
        ]
    }
}
