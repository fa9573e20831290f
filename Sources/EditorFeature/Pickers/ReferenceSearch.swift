package import AviaryDomain
package import Foundation

/// The search of a to-one field that has too many records for a menu.
package struct ReferenceSearch: Sendable {
    /// The model of the records.
    let schema: ModelSchema
    /// The record chosen now or before, and all others that the page names.
    let shown: [RecordChoice]

    package init(schema: ModelSchema, shown: [RecordChoice]) {
        self.schema = schema
        self.shown = shown
    }

    /// The titles of the shown records, by identifier.
    var titles: [String: String] {
        Dictionary(shown.map { ($0.id.canonicalText, $0.title) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The results of a search next to a field.
package struct FoundRecords: Sendable, Hashable {
    /// The largest number of results. Users do not read more; a longer search text finds fewer.
    package static let mostShown = 20

    package let text: String
    package let choices: [RecordChoice]
    /// Indicates whether there are, or may be, further results.
    package let hasMore: Bool

    /// Creates the results from the matches of a search.
    ///
    /// - Parameter matches: Up to one more match than ``mostShown``.
    package init(text: String, matches: ChoiceMatches) {
        self.text = text
        choices = Array(matches.choices.prefix(Self.mostShown))
        hasMore = matches.choices.count > Self.mostShown || !matches.isComplete
    }

    /// Returns the results in words, for example `3 categories match “ma”.`
    package func words(_ schema: ModelSchema) -> String {
        let text = TextFormatter.isolated(text)
        if choices.isEmpty, hasMore {
            return localized(
                "Searching \(schema.pluralName) for “\(text)” took too long. Enter the beginning of the name, or more of it."
            )
        }
        if choices.isEmpty {
            return localized("No \(schema.singularName) matches “\(text)”. Try another part of the name.")
        }
        if hasMore { return localized("The first \(choices.count) matches for “\(text)”. Type more to find others.") }
        let counted = schema.counted(choices.count)
        return localized(choices.count, one: "\(counted) matches “\(text)”.", other: "\(counted) match “\(text)”.")
    }
}

extension EditorViewModel {
    /// Indicates whether the property references records that the user is allowed to see and choose here.
    package func mayChoose(_ property: String) -> Bool {
        guard let definition = schema.property(property), sheet.isEditable(property), !isReadOnly, mayShow(definition)
        else { return false }
        if case .toOne = definition.type { return true }
        return links[property] != nil
    }

    /// Returns the property behind a field of the record or of one of its rows, or nil if the user is not allowed
    /// to choose a record for it here.
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

    /// Returns the search text that was typed for the field.
    package func searchText(_ property: String, form: [FormField]) -> String {
        links[property]?.text ?? form.value(FormNames.search(property)) ?? ""
    }

    /// Shows the results of a search as choices.
    package mutating func show(_ found: FoundRecords, for property: String) {
        self.found[property] = found
        focus = property
        guard links[property] != nil else { return }
        // The typed text was a search. It is cleared, because Save would look it up again as a title.
        links[property]?.text = ""
        links[property]?.found = found.choices
    }

    /// Indicates whether the form's field contains the record.
    package func isChosen(_ id: UUID, for property: String) -> Bool {
        links[property]?.selected.contains(id) ?? (fields[property] == id.canonicalText)
    }

    /// Returns the form fields with the added record chosen.
    static func chosen(_ id: UUID, for property: PropertySchema, in fields: [FormField]) -> [FormField] {
        let choice = FormField(name: property.name, value: id.canonicalText)
        if case .toMany = property.type { return fields + [choice] }
        return fields.filter { $0.name != property.name } + [choice]
    }

    /// Returns the waiting draft with the record chosen in it, or nil if the property does not reference the model.
    package static func choosing(
        _ id: UUID, of model: String, in draft: Draft, _ property: PropertySchema, at now: Date
    ) -> Draft? {
        guard property.type.model == model else { return nil }
        return draft.with(chosen(id, for: property, in: draft.fields), at: now)
    }
}
