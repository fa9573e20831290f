import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    func linkField(_ property: PropertySchema) -> Field {
        let field = model.links[property.name] ?? LinkField()
        let choices = linkChoices[property.name]
        var shown = field.shown
        if let choices, choices.isComplete { shown += choices.options.map(\.id).filter { !shown.contains($0) } }
        shown += field.found.map(\.id).filter { !shown.contains($0) }
        let found = Dictionary(field.found.map { ($0.id, $0.title) }, uniquingKeysWith: { first, _ in first })
        let isComplete = choices?.isComplete == true && field.text.isEmpty
        return Field(
            name: property.name,
            label: property.label,
            control: .entries(
                MultiValueField(
                    options: shown.map {
                        Option(
                            value: $0.canonicalText,
                            label: choices?.titles[$0] ?? found[$0] ?? localized("a deleted record"))
                    },
                    checked: Set(field.selected.map(\.canonicalText)),
                    hidden: (
                        LinkEntries.linkedField(property.name), field.linked.map(\.canonicalText).joined(separator: " ")
                    ),
                    note: note(on: field, isEmpty: shown.isEmpty && isComplete),
                    adding: isComplete
                        ? nil
                        : MultiValueField.Adding(
                            label: localized("Add by name"), text: field.text,
                            suggestions: choices?.options.map(\.title) ?? []
                        ),
                    search: isComplete ? nil : search(property)
                )),
            help: help(property, joining: countHelp(property.name)),
            error: model.problems.first { $0.property == property.name }?.message,
            isRequired: model.allowedCount(of: property.name).minimum > 0, button: creation(property)
        )
    }

    private func search(_ property: PropertySchema) -> RecordSearch? {
        guard let other = linkChoices[property.name]?.model else { return nil }
        return RecordSearch(
            label: "", name: nil,
            button: SheetButton(
                title: localized("Search"), name: FormNames.step, value: SheetStep.find(property.name).text,
                action: model.paths.keepDraft),
            choices: ModelPaths(other).choices, result: model.found[property.name]?.words(other)
        )
    }

    /// Returns a read-only field with the titles of the linked records.
    func fixedLinks(_ property: PropertySchema) -> Field {
        let field = model.links[property.name] ?? LinkField()
        let titles = field.shown.filter { field.selected.contains($0) }
            .map { linkChoices[property.name]?.titles[$0] ?? localized("a deleted record") }
        let shown = titles.isEmpty ? "–" : titles.joined(separator: ", ")
        return Field(
            name: property.name, label: property.label,
            control: .fixed(
                text: field.hiddenCount > 0 ? localized("\(shown) and \(moreText(field.hiddenCount))") : shown)
        )
    }

    private func note(on field: LinkField, isEmpty: Bool) -> String? {
        if isEmpty { return localized("Nothing to choose from yet.") }
        return field.hiddenCount > 0 ? localized("And \(moreText(field.hiddenCount)), which stay unchanged.") : nil
    }

    private func moreText(_ count: Int) -> String {
        RelatedSummary.mostCounted <= count + LinkField.mostShown
            ? localized("many more") : localized("\(TextFormatter.grouped(count)) more")
    }

    /// Returns the allowed number of records in words, or nil if any number is allowed.
    func countHelp(_ property: String) -> String? {
        let allowed = model.allowedCount(of: property)
        return allowed == .any ? nil : TextFormatter.capitalized(allowed.description)
    }
}
