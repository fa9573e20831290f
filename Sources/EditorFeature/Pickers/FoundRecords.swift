package import AviaryDomain

/// What a search beside a field found.
package struct FoundRecords: Sendable, Hashable {
    /// More nobody reads through: a longer text finds less.
    package static let mostShown = 20

    package let text: String
    package let choices: [RecordChoice]
    /// Whether there are others, or may be.
    package let hasMore: Bool

    /// - Parameter matches: Up to one more than ``mostShown``.
    package init(text: String, matches: ChoiceMatches) {
        self.text = text
        choices = Array(matches.choices.prefix(Self.mostShown))
        hasMore = matches.choices.count > Self.mostShown || !matches.isComplete
    }

    /// `3 categories match “ma”.`
    package func words(_ schema: ModelSchema) -> String {
        let text = Words.isolated(text)
        if choices.isEmpty, hasMore {
            return localized(
                "Not all \(schema.pluralName) could be looked through in time for “\(text)”. Type how the name begins, or more of it."
            )
        }
        if choices.isEmpty {
            return localized("No \(schema.singularName) matches “\(text)”. Try another part of its name.")
        }
        if hasMore { return localized("The first \(choices.count) that match “\(text)”. Type more to find others.") }
        let counted = schema.counted(choices.count)
        return localized(choices.count, one: "\(counted) matches “\(text)”.", other: "\(counted) match “\(text)”.")
    }
}
