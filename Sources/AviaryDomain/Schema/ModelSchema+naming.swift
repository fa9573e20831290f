extension ModelSchema {
    /// `Animal Category`: the model's name as words, for titles.
    package var titleName: String {
        Words.split(name).map(Words.capitalized).joined(separator: " ")
    }

    /// `animal category`, for the middle of a sentence.
    package var singularName: String {
        Words.split(name).map { $0.lowercased() }.joined(separator: " ")
    }

    /// `animal categories`, for the middle of a sentence.
    package var pluralName: String {
        Words.plural(singularName)
    }

    /// `Animal categories`, for headings.
    package var pluralTitle: String {
        Words.capitalized(pluralName)
    }

    /// `animal-categories`, for URLs.
    package var slug: String {
        pluralName.split(separator: " ").joined(separator: "-")
    }

    /// `1 animal`, `152 animals`.
    package func counted(_ count: Int) -> String {
        "\(Words.grouped(count)) \(count == 1 ? singularName : pluralName)"
    }
}

extension PropertySchema {
    /// `Clutch size` for `clutchSize`.
    package var label: String {
        Words.capitalized(Words.split(name).map { $0.lowercased() }.joined(separator: " "))
    }
}
