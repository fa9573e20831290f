package import AviaryDomain
package import Foundation

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
