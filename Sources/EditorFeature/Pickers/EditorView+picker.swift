import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// What is chosen, what was found, and a search for others.
    func picker(_ property: PropertySchema, _ search: ReferenceSearch, text: String) -> Control {
        let found = model.found[property.name]
        var options = [Option(value: "", label: "None")]
        if !text.isEmpty { options.append(Option(value: text, label: search.titles[text] ?? "a record that is gone")) }
        for choice in found?.choices ?? [] where choice.id.canonicalText != text {
            options.append(Option(value: choice.id.canonicalText, label: choice.title))
        }
        return .picker(RecordPicker(
            options: options, selected: text,
            search: RecordSearch(
                label: "Search \(search.schema.pluralName)", name: FormNames.search(property.name),
                button: SheetButton(
                    title: "Search", name: FormNames.step, value: SheetStep.find(property.name).text, action: model.paths.keepDraft
                ),
                choices: ModelPaths(search.schema).choices, result: found?.words(search.schema)
            )
        ))
    }
}
