import AviaryDesign
import AviaryDomain
import Foundation

extension EditorView {
    /// Above this many, a row of segments no longer fits on a phone.
    private static let mostSegments = 4

    func control(_ property: PropertySchema, text: String) -> Control {
        switch property.type {
        // A one-line field would silently drop the line breaks.
        case .string where text.utf8.contains(where: { $0 == 10 || $0 == 13 }): .multiline(value: text)
        case .string, .uuid, .toMany: .text(value: text, maxLength: nil)
        case .integer: .number(value: text, step: "1")
        case .double: .number(value: text, step: "any")
        case .date: .dateTime(value: text)
        case .calendarDate: .date(value: text)
        case .boolean where property.isOptional:
            .segments(options: [Option(value: "", label: "Not set"), Option(value: "true", label: "Yes"), Option(value: "false", label: "No")], selected: text)
        case .boolean: .toggle(isOn: text == "true")
        case .choice(let choices): choiceControl(choices, property: property, text: text)
        case .toOne: .select(options: options(property, selected: text), selected: text, prompt: "Select \(Words.withArticle(property.label.lowercased()))")
        }
    }

    /// What a stored text means to a person.
    func shown(_ text: String, of property: PropertySchema) -> String {
        if text.isEmpty { return "nothing" }
        switch property.type {
        case .choice: return Words.choiceLabel(text)
        case .toOne: return choices[property.name]?.first { $0.id.canonicalText == text }?.title ?? "another record"
        default: return text
        }
    }

    private func choiceControl(_ choices: [String], property: PropertySchema, text: String) -> Control {
        var options = choices.map { Option(value: $0, label: Words.choiceLabel($0)) }
        if property.isOptional { options.insert(Option(value: "", label: "Not set"), at: 0) }
        return options.count <= Self.mostSegments
            ? .segments(options: options, selected: text)
            : .select(options: options, selected: text, prompt: nil)
    }

    private func options(_ property: PropertySchema, selected: String) -> [Option] {
        (choices[property.name] ?? []).map { Option(value: $0.id.canonicalText, label: $0.title) }
    }
}
