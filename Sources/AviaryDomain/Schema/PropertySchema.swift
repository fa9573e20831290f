/// One property of a model.
public struct PropertySchema: Sendable {
    public let name: String
    public let type: PropertyType
    public let isOptional: Bool
    public let attributes: Set<AttributeOption>
    package let keyPath: any AnyKeyPath & Sendable
    package let relationship: RelationshipOptions?
    package let makeDefault: (@Sendable () -> FieldValue)?

    /// `Clutch size` for `clutchSize`.
    package let label: String
    /// Of a choice, in the order of its cases: `Herbivorous` for `herbivorous`.
    package let choiceLabels: [String]

    init(
        name: String, type: PropertyType, isOptional: Bool, attributes: Set<AttributeOption>,
        keyPath: any AnyKeyPath & Sendable, relationship: RelationshipOptions?,
        makeDefault: (@Sendable () -> FieldValue)?
    ) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.attributes = attributes
        self.keyPath = keyPath
        self.relationship = relationship
        self.makeDefault = makeDefault
        label = Words.capitalized(Words.split(name).map { $0.lowercased() }.joined(separator: " "))
        choiceLabels = if case .choice(let choices) = type { choices.map(Words.choiceLabel) } else { [] }
    }

    package var isUnique: Bool { attributes.contains(.unique) }

    /// Whether an editor must give a value: declared so, or not optional and not a text (an empty text is a value).
    package var isRequired: Bool {
        attributes.contains(.required) || (!isOptional && type != .string)
    }

    /// The value a new record begins with: the declared default, else empty.
    package var defaultValue: FieldValue {
        if let makeDefault { return makeDefault() }
        if isOptional { return .null }
        return switch type {
        case .string: .text("")
        case .boolean: .integer(0)
        case .choice(let choices): choices.first.map(FieldValue.text) ?? .null
        default: .null
        }
    }
}
