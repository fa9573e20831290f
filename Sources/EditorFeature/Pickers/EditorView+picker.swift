import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// What is chosen, what was found, and a search for others.
    ///
    /// - Parameter name: The field's.
    func picker(_ name: String, _ search: ReferenceSearch, text: String) -> Control {
        let found = model.found[name]
        var options = [Option(value: "", label: localized("None"))]
        if !text.isEmpty {
            options.append(Option(value: text, label: search.titles[text] ?? localized("a record that is gone")))
        }
        for choice in found?.choices ?? [] where choice.id.canonicalText != text {
            options.append(Option(value: choice.id.canonicalText, label: choice.title))
        }
        return .picker(
            RecordPicker(
                options: options, selected: text,
                search: RecordSearch(
                    label: localized("Search \(search.schema.pluralName)"), name: FormNames.search(name),
                    button: SheetButton(
                        title: localized("Search"), name: FormNames.step, value: SheetStep.find(name).text,
                        action: model.paths.keepDraft
                    ),
                    choices: ModelPaths(search.schema).choices, result: found?.words(search.schema)
                )
            ))
    }
}
