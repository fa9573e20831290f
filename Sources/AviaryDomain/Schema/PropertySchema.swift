/// One property of a model.
public struct PropertySchema: Sendable {
    public let name: String
    public let type: PropertyType
    public let isOptional: Bool
    public let attributes: Set<AttributeOption>
    package let keyPath: any AnyKeyPath & Sendable
    package let relationship: RelationshipOptions?
    package let makeDefault: (@Sendable () -> FieldValue)?

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
