import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// The parts of an embedded struct, each with a field; nil where it is edited as JSON.
    func embeddedGroup(_ property: PropertySchema) -> FieldGroup? {
        guard !model.isReadOnly, model.sheet.isEditable(property.name), model.comparisons[property.name] == nil,
            let embedded = EmbeddedFields(property), let texts = embedded.texts(of: model.fields[property.name] ?? ""),
            // What is wrong with the whole came as JSON, and stays on the page as it came.
            (model.fields[property.name] ?? "").isBlank
                || !model.problems.contains(where: { $0.property == property.name })
        else { return nil }
        let fields = embedded.parts.map { part in
            let name = embedded.name(of: part)
            return Field(
                name: name, label: part.label, control: control(part, text: texts[part.key] ?? ""),
                error: model.problems.first { $0.property == name }?.message
            )
        }
        return FieldGroup(
            name: property.name, label: property.label, fields: fields, help: model.sheet.help[property.name],
            error: model.problems.first { $0.property == property.name }?.message,
            isRequired: property.isRequired
        )
    }

    private func control(_ part: EmbeddedProperty, text: String) -> Control {
        switch part.type {
        case .string where text.utf8.contains(where: { $0 == 10 || $0 == 13 }): .multiline(value: text)
        case .boolean where part.isOptional:
            .segments(options: Option.truths, selected: text)
        case .boolean: .toggle(isOn: text == "true")
        case .integer, .sizedInteger: .number(value: text, step: "1")
        case .double: .number(value: text, step: "any")
        case .choice(let choices): .select(options: options(choices), selected: text, prompt: nil)
        case .integerChoice(let choices):
            .select(options: options(choices.map(String.init)), selected: text, prompt: nil)
        default: .text(value: text, maxLength: nil)
        }
    }

    private func options(_ choices: [String]) -> [Option] {
        [Option.notSet] + choices.map { Option(value: $0, label: Words.choiceLabel($0)) }
    }

    /// What an embedded value means to a person: its parts, without their names.
    func embeddedText(_ json: String, of property: PropertySchema) -> String? {
        guard let embedded = EmbeddedFields(property), let texts = embedded.texts(of: json) else { return nil }
        let parts = embedded.parts.compactMap { texts[$0.key] }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
