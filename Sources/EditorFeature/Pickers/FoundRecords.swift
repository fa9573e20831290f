package import AviaryDomain

/// What a search beside a field found.
package struct FoundRecords: Sendable, Hashable {
    /// More nobody reads through: a longer text finds less.
    package static let mostShown = 20

    package let text: String
    package let choices: [RecordChoice]
    package let hasMore: Bool

    /// - Parameter found: Up to one more than ``mostShown``.
    package init(text: String, found: [RecordChoice]) {
        self.text = text
        choices = Array(found.prefix(Self.mostShown))
        hasMore = found.count > Self.mostShown
    }

    /// `3 categories match “ma”.`
    package func words(_ schema: ModelSchema) -> String {
        if choices.isEmpty { return "No \(schema.singularName) matches “\(text)”. Try another part of its name." }
        if hasMore { return "The first \(choices.count) that match “\(text)”. Type more to find others." }
        return "\(schema.counted(choices.count)) \(choices.count == 1 ? "matches" : "match") “\(text)”."
    }
}
