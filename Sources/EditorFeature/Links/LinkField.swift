package import AviaryDomain
package import Foundation

/// A many-to-many field while it is being edited.
///
/// It contains changes instead of the full list, so that links that others add or remove meanwhile are preserved.
package struct LinkField: Sendable, Hashable {
    /// The largest number of links on a page. Further links stay unchanged.
    package static let mostShown = 100

    /// The links that existed when the form was rendered, as far as it shows them.
    package internal(set) var linked: [UUID] = []
    /// The number of links that are not shown.
    package internal(set) var hiddenCount = 0
    package internal(set) var added: [UUID] = []
    package internal(set) var removed: Set<UUID> = []
    /// The typed titles of records to link.
    package internal(set) var text = ""
    /// The search results that the user can tick.
    package internal(set) var found: [RecordChoice] = []

    /// The links that the form selects, in the order of the page.
    package var selected: [UUID] { linked.filter { !removed.contains($0) } + added }
    /// All links that the page shows, including unticked ones.
    package var shown: [UUID] { linked + added }

    /// Replaces the current links, and drops changes that others already made.
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

/// The entries of a many-to-many field in a form or a draft.
package struct LinkEntries: Sendable, Hashable {
    /// The links that the form showed; nil if it does not contain them, in which case the selected records are all
    /// that are to be linked.
    let linked: [UUID]?
    let selected: [UUID]
    let text: String
}

extension LinkEntries {
    /// Returns the name of the hidden field with the links that the form shows. No property name contains a dot.
    package static func linkedField(_ property: String) -> String { property + ".linked" }
    static func removedField(_ property: String) -> String { property + ".removed" }

    /// Creates the entries from form fields. Returns nil if the form does not have the field, which is then
    /// undecided.
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

/// The records that a many-to-many field can link.
package struct LinkChoices: Sendable {
    /// The largest number of records shown as checkboxes. If there are more, the user finds them by name.
    package static let mostCheckboxes = 24

    /// The titles of the shown records, by identifier.
    let titles: [UUID: String]
    /// All records, or the first ones as suggestions.
    let options: [RecordChoice]
    /// Indicates whether the options contain all records.
    let isComplete: Bool
    /// The model of the records; nil if they cannot be searched.
    let model: ModelSchema?

    package init(shown: [RecordChoice], options: [RecordChoice], isComplete: Bool, of model: ModelSchema? = nil) {
        self.model = model
        titles = Dictionary((shown + options).map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        self.options = options
        self.isComplete = isComplete
    }
}
