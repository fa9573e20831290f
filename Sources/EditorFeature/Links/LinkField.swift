package import AviaryDomain
package import Foundation

/// A many-to-many field while it is being edited: what changes, not what is. A link that somebody else makes or ends
/// meanwhile stays as they left it.
package struct LinkField: Sendable, Hashable {
    /// More than these a page does not show; they stay as they are.
    package static let mostShown = 100

    /// Linked when the form was made, as far as it shows them.
    package internal(set) var linked: [UUID] = []
    /// Linked, and not shown.
    package internal(set) var hiddenCount = 0
    package internal(set) var added: [UUID] = []
    package internal(set) var removed: Set<UUID> = []
    /// Typed, to be found by their titles.
    package internal(set) var text = ""
    /// Found by a search, to be ticked.
    package internal(set) var found: [RecordChoice] = []

    /// In the order of the page.
    package var selected: [UUID] { linked.filter { !removed.contains($0) } + added }
    /// All that the page shows, unchecked ones too.
    package var shown: [UUID] { linked + added }

    /// So that what is linked meanwhile, or not any more, is not done again.
    mutating func rebase(on stored: RelatedSummary) {
        let current = stored.first.map(\.id)
        linked = current
        hiddenCount = max(0, stored.count - current.count)
        added.removeAll { current.contains($0) }
        removed.formIntersection(current)
    }

    func edit(of property: String) -> LinkEdit? {
        guard !added.isEmpty || !removed.isEmpty else { return nil }
        return LinkEdit(property: property, added: added, removed: linked.filter(removed.contains))
    }
}

/// What a form or a draft says of a many-to-many field.
package struct LinkEntries: Sendable, Hashable {
    /// What the form showed as linked; nil when it does not say, and what it has is all that shall be linked.
    let linked: [UUID]?
    let selected: [UUID]
    let text: String
}

extension LinkEntries {
    /// The hidden field with what the form shows as linked. A dot is in the name of no property.
    package static func linkedField(_ property: String) -> String { property + ".linked" }
    static func removedField(_ property: String) -> String { property + ".removed" }

    /// Nil for a form that does not have the field: nobody has decided anything about it.
    init?(_ form: [FormField], property: String) {
        let values = form.filter { $0.name == property }.map(\.value)
        guard !values.isEmpty else { return nil }
        var selected: [UUID] = []
        var texts: [String] = []
        for value in values where !value.isBlank {
            guard let id = UUID(canonicalText: value) else {
                texts.append(value)
                continue
            }
            if !selected.contains(id) { selected.append(id) }
        }
        self.selected = selected
        text = texts.joined(separator: "; ")
        linked = form.value(Self.linkedField(property)).map {
            $0.split(separator: " ").compactMap { UUID(canonicalText: $0) }
        }
    }
}

/// What a many-to-many field may be linked with.
package struct LinkChoices: Sendable {
    /// Up to so many are shown one by one; more are found by their names.
    package static let mostCheckboxes = 24

    /// Of what is shown, by id.
    let titles: [UUID: String]
    /// All there are, or the first to suggest.
    let options: [RecordChoice]
    /// Whether the options are all there are.
    let isComplete: Bool
    /// Whose records they are; nil where they cannot be searched.
    let model: ModelSchema?

    package init(shown: [RecordChoice], options: [RecordChoice], isComplete: Bool, of model: ModelSchema? = nil) {
        self.model = model
        titles = Dictionary((shown + options).map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        self.options = options
        self.isComplete = isComplete
    }
}
