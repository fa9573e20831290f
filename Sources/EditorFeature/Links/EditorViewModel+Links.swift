package import AviaryDomain
package import Foundation

extension EditorViewModel {
    /// The many-to-many fields, in the order of the model.
    package var linkProperties: [PropertySchema] {
        schema.properties.filter { linkTargets[$0.name] != nil && !sheet.isHidden($0.name) }
    }

    /// Reads the current links and applies the changes of a form or a draft to them.
    ///
    /// - Parameter targets: The repositories of the linked models, by many-to-many property.
    /// - Throws: The errors of the repository.
    package mutating func readLinks(
        targets: [String: any RecordRepository], form: [FormField] = [], draft: Draft? = nil
    ) async throws {
        linkTargets = targets
        for property in linkProperties {
            var field = LinkField()
            field.rebase(on: try await stored(property.name))
            guard sheet.isEditable(property.name) else {
                links[property.name] = field
                continue
            }
            if let entries = LinkEntries(form, property: property.name) {
                // Resubmitting the form produces the same change set, whatever is linked by then.
                if let linked = entries.linked { field.linked = linked }
                field.added = entries.selected.filter { !field.linked.contains($0) }
                field.removed = Set(field.linked).subtracting(entries.selected)
                field.text = entries.text
            } else if let draft {
                field.take(draft.fields, property: property.name)
            }
            links[property.name] = field
        }
    }

    /// The fields that a draft contains: the changed links.
    var linkDraftFields: [FormField] {
        linkProperties.flatMap { property in
            let field = links[property.name] ?? LinkField()
            return field.added.map { FormField(name: property.name, value: $0.canonicalText) }
                + field.removed.map(\.canonicalText).sorted().map {
                    FormField(name: LinkEntries.removedField(property.name), value: $0)
                }
                + (field.text.isEmpty ? [] : [FormField(name: property.name, value: field.text)])
        }
    }

    /// Finds typed records by title or identifier. A title that matches no record, or several, becomes a problem.
    mutating func findTypedLinks() async throws {
        for property in linkProperties {
            guard var field = links[property.name], !field.text.isBlank, let target = linkTargets[property.name] else {
                continue
            }
            var left: [String] = []
            var isMissing = false, isAmbiguous = false
            for title in try await titles(field.text, in: target) {
                let found = try await target.ids(titled: title)
                if found.count == 1, let id = found.first {
                    field.select(id)
                    continue
                }
                left.append(title)
                if found.isEmpty { isMissing = true } else { isAmbiguous = true }
            }
            field.text = left.joined(separator: "; ")
            links[property.name] = field
            let name = target.schema.singularName
            if isMissing {
                problems.append(
                    FieldProblem(
                        property: property.name,
                        message: localized(
                            "No \(name) has this name. Choose an existing one or add it first.")
                    ))
            }
            if isAmbiguous {
                problems.append(
                    FieldProblem(
                        property: property.name,
                        message: localized(
                            "More than one \(name) has this name. Enter the ID from the address of the record’s page, or give each record its own name."
                        )
                    ))
            }
        }
    }

    /// The fields with too few or too many links, as far as the page knows. The store knows exactly, but it is
    /// asked only if there is no other problem.
    var countProblems: [FieldProblem] {
        linkProperties.compactMap { property in
            guard let field = links[property.name], isNew || field.edit(of: property.name) != nil,
                !problems.contains(where: { $0.property == property.name })
            else { return nil }
            let allowed = allowedCount(of: property.name)
            let count = field.selected.count + field.hiddenCount
            return allowed.contains(count)
                ? nil : FieldProblem(property: property.name, message: allowed.advice(brokenBy: count))
        }
    }

    var linkEdits: [LinkEdit] { linkProperties.compactMap { links[$0.name]?.edit(of: $0.name) } }

    /// Reloads the current links after a conflict and applies the form's changes to them.
    mutating func takeOverLinks() async {
        for property in linkProperties {
            // If the links cannot be read, the form keeps those that it showed, and its changes stay the same.
            guard let stored = try? await stored(property.name), var field = links[property.name] else { continue }
            field.rebase(on: stored)
            links[property.name] = field
        }
    }

    private func stored(_ property: String) async throws -> RelatedSummary {
        guard !isNew else { return .none }
        return try await repository.related(to: [record], by: property, limit: LinkField.mostShown)[record] ?? .none
    }

    /// Splits the typed text into titles. The complete text is tried first, because a title can contain a
    /// semicolon.
    private func titles(_ text: String, in target: any RecordRepository) async throws -> [String] {
        let whole = text.trimmed
        if !whole.contains(";") { return [whole] }
        if try await !target.ids(titled: whole).isEmpty { return [whole] }
        return whole.split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension ModelCount {
    func advice(brokenBy count: Int) -> String {
        // The form shows that nothing is chosen, so the message does not repeat the number.
        guard count > 0 else { return localized("Choose at least \(minimum).") }
        return localized("Choose \(bound(brokenBy: count)) (would be \(count)).")
    }
}

extension LinkField {
    /// Marks all selected links as added, as in the form of a new record.
    mutating func resetIdentity() {
        added = selected
        (linked, removed, hiddenCount) = ([], [], 0)
    }

    mutating func select(_ id: UUID) {
        removed.remove(id)
        if !linked.contains(id), !added.contains(id) { added.append(id) }
    }

    fileprivate mutating func take(_ fields: [FormField], property: String) {
        guard let entries = LinkEntries(fields, property: property) ?? LinkEntries(empty: fields, property: property)
        else { return }
        added = entries.selected.filter { !linked.contains($0) }
        text = entries.text
        let gone = fields.filter { $0.name == LinkEntries.removedField(property) }.compactMap {
            UUID(canonicalText: $0.value)
        }
        removed = Set(gone).intersection(linked)
    }
}

extension LinkEntries {
    /// Creates the entries of a draft that only removes links.
    fileprivate init?(empty fields: [FormField], property: String) {
        guard fields.contains(where: { $0.name == Self.removedField(property) }) else { return nil }
        (linked, selected, text) = (nil, [], "")
    }
}

extension RecordRepository {
    /// The largest number of records that are compared with a typed title that no single property holds.
    private static var mostTitled: Int { 50 }

    /// Returns up to two records with the title. Two matches mean that the title is ambiguous.
    fileprivate func ids(titled title: String) async throws -> [UUID] {
        if let property = schema.titleProperty {
            let ids = try await ids(where: [property.name: .text(title)], limit: 2)
            if !ids.isEmpty { return ids }
        }
        if schema.titleText == nil {
            let found = try await choices(matching: title, limit: Self.mostTitled).choices.filter { $0.title == title }
            if !found.isEmpty { return found.prefix(2).map(\.id) }
        }
        guard let id = UUID(canonicalText: title.lowercased()), try await find(id) != nil else { return [] }
        return [id]
    }
}

extension String {
    fileprivate var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}

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
