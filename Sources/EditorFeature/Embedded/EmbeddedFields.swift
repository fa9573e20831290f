import AviaryDesign
import AviaryDomain
import Foundation

/// An embedded struct as separate fields: splits its JSON into parts and combines them again.
///
/// A typed text that is not a valid value of its part is written to the JSON as a string, so that the form shows it
/// again as typed.
struct EmbeddedFields: Sendable {
    /// The largest number of parts in a group. A larger group would be hard to read.
    private static let mostParts = 12

    let property: PropertySchema
    let parts: [EmbeddedProperty]

    /// Creates the fields of an embedded struct. Returns nil if a part is not a single simple value; the whole is
    /// then edited as JSON.
    init?(_ property: PropertySchema) {
        guard property.type == .json, let parts = property.embeddedProperties, !parts.isEmpty,
            parts.count <= Self.mostParts,
            parts.allSatisfy({ $0.type.isSimple })
        else { return nil }
        self.property = property
        self.parts = parts
    }

    func name(of part: EmbeddedProperty) -> String { property.name + "." + part.key }

    /// Returns the texts of the parts by key, or nil for JSON of another shape. A part that the JSON does not have has its
    /// initial value.
    func texts(of json: String) -> [String: String]? {
        // A value that may be missing as a whole is not begun by the initial values of its parts.
        if json.isBlank { return property.isOptional ? [:] : initialTexts }
        // A decoding error means that the JSON has another shape.
        guard let values = try? JSONDecoder().decode([String: JSONScalar].self, from: Data(json.utf8)),
            Set(values.keys).isSubset(of: parts.map(\.key))
        else { return nil }
        return initialTexts.merging(values.mapValues(\.text)) { _, stored in stored }
    }

    private var initialTexts: [String: String] {
        Dictionary(
            uniqueKeysWithValues: parts.compactMap { part in
                part.valueWhenMissing.map { value in
                    (part.key, part.type == .boolean ? (value == .integer(1) ? "true" : "false") : value.formText)
                }
            })
    }

    /// Returns the JSON that the texts form, or an empty text if nothing was typed.
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
        // Finite numbers, strings and Booleans can always be encoded.
        guard let data = try? encoder.encode(values) else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Indicates whether the user typed a value. An unticked checkbox is not a value, but a chosen No is.
    private func isTyped(_ text: String, as part: EmbeddedProperty) -> Bool {
        part.type == .boolean && !part.isOptional ? text == "true" : !text.isEmpty
    }

    /// Returns the problems of the parts, each with the name of its field.
    func problems(in json: String) -> [FieldProblem] {
        guard !json.isBlank, let texts = texts(of: json) else { return [] }
        return parts.compactMap { part -> FieldProblem? in
            let text = texts[part.key] ?? ""
            if text.isEmpty {
                return part.hasNoEmptyValue
                    ? FieldProblem(
                        property: name(of: part),
                        message: part.type.choices == nil
                            ? localized("Enter \(TextFormatter.withArticle(part.labelInSentence)).")
                            : localized("Choose \(TextFormatter.withArticle(part.labelInSentence)).")
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
    var label: String {
        TextFormatter.capitalized(TextFormatter.split(key).map { $0.lowercased() }.joined(separator: " ")).translated
    }
    var labelInSentence: String { TextFormatter.small(label) }

    /// Indicates whether an empty field has no value of the type.
    fileprivate var hasNoEmptyValue: Bool { !isOptional && type != .string }

    /// Indicates whether the page marks the field as required in a struct that is required: the value must be entered or
    /// chosen, which is not so for a checkbox, nor for a choice with an initial value.
    fileprivate var mustBeEntered: Bool {
        hasNoEmptyValue && type != .boolean && (type.choices == nil || valueWhenMissing == nil)
    }

    /// Returns the label of a choice; any other text as it is.
    fileprivate func shown(_ text: String) -> String {
        zip(type.choices ?? [], choiceLabels).first { $0.0 == text }?.1 ?? text
    }
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

    /// Returns the text as a value of this type, or as a string if it is invalid.
    fileprivate func scalar(_ text: String) -> JSONScalar {
        guard let value = try? parse(text) else { return .text(text) }  // the check of the value reports it
        return switch (self, value) {
        case (.boolean, .integer(let flag)): .boolean(flag != 0)
        case (_, .integer(let number)): .integer(number)
        case (_, .real(let number)): .real(number)
        case (_, .text(let value)): .text(value)
        case (_, .null), (_, .blob): .text(text)
        }
    }
}

/// A JSON value that is not an array or object.
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
        } else if let value = try? container.decode(Int64.self) {  // as above
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {  // as above
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
    /// Returns a group with a field for each part of an embedded struct, or nil if the struct is edited as JSON.
    func embeddedGroup(_ property: PropertySchema) -> FieldGroup? {
        guard !model.isReadOnly, model.sheet.isEditable(property.name), model.comparisons[property.name] == nil,
            let embedded = EmbeddedFields(property), let texts = embedded.texts(of: model.fields[property.name] ?? ""),
            // A value that is invalid as a whole was submitted as JSON, so the page shows that JSON again.
            (model.fields[property.name] ?? "").isBlank
                || !model.problems.contains(where: { $0.property == property.name })
        else { return nil }
        let fields = embedded.parts.map { part in
            let name = embedded.name(of: part)
            return Field(
                name: name, label: part.label, control: control(part, text: texts[part.key] ?? ""),
                error: model.problems.first { $0.property == name }?.message,
                isRequired: property.isRequired && part.mustBeEntered
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
        case .choice, .integerChoice: .select(options: options(part), selected: text, prompt: nil)
        default: .text(value: text, maxLength: nil)
        }
    }

    private func options(_ part: EmbeddedProperty) -> [Option] {
        [Option.notSet] + zip(part.type.choices ?? [], part.choiceLabels).map { Option(value: $0, label: $1) }
    }

    /// Returns an embedded value in the form that a person reads: the values of its parts, without their names.
    func embeddedText(_ json: String, of property: PropertySchema) -> String? {
        guard let embedded = EmbeddedFields(property), let texts = embedded.texts(of: json) else { return nil }
        let parts = embedded.parts.compactMap { part in texts[part.key].map(part.shown) }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
