package import AviaryDomain
package import Foundation

/// A to-one field whose records are too many for a menu.
package struct ReferenceSearch: Sendable {
    /// Whose records they are.
    let schema: ModelSchema
    /// What is chosen now, or was, and everything else that the page names.
    let shown: [RecordChoice]

    package init(schema: ModelSchema, shown: [RecordChoice]) {
        self.schema = schema
        self.shown = shown
    }

    /// By id.
    var titles: [String: String] {
        Dictionary(shown.map { ($0.id.canonicalText, $0.title) }, uniquingKeysWith: { first, _ in first })
    }
}

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

extension EditorViewModel {
    /// Whether the property leads to records that this person may see and choose here.
    package func mayChoose(_ property: String) -> Bool {
        guard let definition = schema.property(property), sheet.isEditable(property), !isReadOnly, mayShow(definition)
        else { return false }
        if case .toOne = definition.type { return true }
        return links[property] != nil
    }

    /// The property of the field, of the record itself or of one of its rows, where this person may choose a record for it here.
    package func reference(_ field: String) -> PropertySchema? {
        if let property = schema.property(field) { return mayChoose(field) ? property : nil }
        for (name, list) in rowLists {
            let names = RowNames(name)
            for row in list.entries where list.isOpen(row) {
                let property = list.properties.first { names.field($0.name, of: row.id) == field }
                if let property, case .toOne = property.type, list.maySet(property) { return property }
            }
        }
        return nil
    }

    /// What is looked for beside the field.
    package func searchText(_ property: String, form: [FormField]) -> String {
        links[property]?.text ?? form.value(FormNames.search(property)) ?? ""
    }

    /// Shows what a search found, to be chosen.
    package mutating func show(_ found: FoundRecords, for property: String) {
        self.found[property] = found
        focus = property
        guard links[property] != nil else { return }
        // What was typed was a search; as a name it would be looked for once more.
        links[property]?.text = ""
        links[property]?.found = found.choices
    }

    /// Whether the form has the record in the field.
    package func isChosen(_ id: UUID, for property: String) -> Bool {
        links[property]?.selected.contains(id) ?? (fields[property] == id.canonicalText)
    }

    /// Chooses a record that was added meanwhile.
    static func chosen(_ id: UUID, for property: PropertySchema, in fields: [FormField]) -> [FormField] {
        let choice = FormField(name: property.name, value: id.canonicalText)
        if case .toMany = property.type { return fields + [choice] }
        return fields.filter { $0.name != property.name } + [choice]
    }

    /// The waiting draft with the record chosen in it; nil where it has no such field.
    package static func choosing(
        _ id: UUID, of model: String, in draft: Draft, _ property: PropertySchema, at now: Date
    ) -> Draft? {
        guard property.type.model == model else { return nil }
        return draft.with(chosen(id, for: property, in: draft.fields), at: now)
    }
}
