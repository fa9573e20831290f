extension ModelSchema {
    /// `Animal category`, where a title or a line begins with it.
    package var titleName: String { Language.current == nil ? names.title : Words.capitalized(singularName) }

    /// `animal category`, for the middle of a sentence.
    package var singularName: String { names.singular.translated }

    /// `animal categories`, for the middle of a sentence.
    package var pluralName: String { names.plural.translated }

    /// `Animal categories`, for headings.
    package var pluralTitle: String { Language.current == nil ? names.pluralTitle : Words.capitalized(pluralName) }

    /// `animal-categories`, for URLs.
    package var slug: String { names.slug }

    /// `1 animal`, `152 animals`.
    package func counted(_ count: Int) -> String {
        "\(Words.grouped(count)) \(count == 1 ? singularName : pluralName)"
    }
}
