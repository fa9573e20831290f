import AviaryDesign
import AviaryDomain
import Foundation

/// An embedded struct as fields of its own: the JSON that stands for it, taken apart and put together again.
///
/// What somebody typed that is no value of its part stands in the JSON as a text, so that it is kept and shown as typed.
struct EmbeddedFields: Sendable {
    /// More make no group that one takes in.
    private static let mostParts = 12

    let property: PropertySchema
    let parts: [EmbeddedProperty]

    /// Nil where a part is more than one simple value: then the whole is edited as JSON.
    init?(_ property: PropertySchema) {
        guard property.type == .json, let parts = property.embeddedProperties, !parts.isEmpty,
            parts.count <= Self.mostParts,
            parts.allSatisfy({ $0.type.isSimple })
        else { return nil }
        self.property = property
        self.parts = parts
    }

    func name(of part: EmbeddedProperty) -> String { property.name + "." + part.key }

    /// The texts of the parts by their keys; nil for JSON that is something else.
    func texts(of json: String) -> [String: String]? {
        if json.isBlank { return [:] }
        // else it is none
        guard let values = try? JSONDecoder().decode([String: JSONScalar].self, from: Data(json.utf8)),
            Set(values.keys).isSubset(of: parts.map(\.key))
        else { return nil }
        return values.mapValues(\.text)
    }

    /// What the texts make together; nothing where nothing was typed.
    func json(of texts: [String: String]) -> String {
        guard parts.contains(where: { isTyped(texts[$0.key] ?? "", as: $0) }) else { return "" }
        var values: [String: JSONScalar] = [:]
        for part in parts {
            let text = texts[part.key] ?? ""
            if text.isEmpty, part.isOptional || part.type != .string { continue }
            values[part.key] = part.type.scalar(text)
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        // Finite numbers, texts and truths can all be written.
        guard let data = try? encoder.encode(values) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// A box that is not ticked is no sign that there is something; a No that was chosen is.
    private func isTyped(_ text: String, as part: EmbeddedProperty) -> Bool {
        part.type == .boolean && !part.isOptional ? text == "true" : !text.isEmpty
    }

    /// What is wrong with the parts, each by the name of its field.
    func problems(in json: String) -> [FieldProblem] {
        guard !json.isBlank, let texts = texts(of: json) else { return [] }
        return parts.compactMap { part -> FieldProblem? in
            let text = texts[part.key] ?? ""
            if text.isEmpty {
                let isMissing = !part.isOptional && part.type != .string
                return isMissing
                    ? FieldProblem(
                        property: name(of: part), message: localized("Give \(Words.withArticle(part.labelInSentence)).")
                    ) : nil
            }
            do throws(UnreadableText) {
                _ = try part.type.parse(text)
                return nil
            } catch {
                return FieldProblem(property: name(of: part), message: error.message)
            }
        }
    }
}

extension EmbeddedProperty {
    var label: String { Words.capitalized(Words.split(key).map { $0.lowercased() }.joined(separator: " ")).translated }
    var labelInSentence: String { Words.small(label) }
}

extension JSONScalar {
    fileprivate var text: String {
        switch self {
        case .null: ""
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .real(let value): FieldValue.real(value).formText
        case .text(let value): value
        }
    }
}

extension PropertyType {
    fileprivate var isSimple: Bool {
        switch self {
        case .string, .boolean, .integer, .sizedInteger, .double, .choice, .integerChoice: true
        default: false
        }
    }

    /// The text as its value, else as it is.
    fileprivate func scalar(_ text: String) -> JSONScalar {
        guard let value = try? parse(text) else { return .text(text) }  // told where it is checked
        return switch (self, value) {
        case (.boolean, .integer(let flag)): .boolean(flag != 0)
        case (_, .integer(let number)): .integer(number)
        case (_, .real(let number)): .real(number)
        case (_, .text(let value)): .text(value)
        case (_, .null), (_, .blob): .text(text)
        }
    }
}

/// A JSON value that holds no others.
enum JSONScalar: Codable, Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {  // each type in its turn
            self = .boolean(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .real(value)
        } else {
            self = .text(try container.decode(String.self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .real(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        }
    }
}

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
