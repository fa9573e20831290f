/// A stored value that does not fit the property it was read for. Never carries the value itself.
public enum FieldValueError: Error, Sendable, Hashable {
    case typeMismatch(expected: String)
    case unknownChoice
    /// A stored JSON text is not one of the Swift type's; the reason names the place in it.
    case invalidJSON(type: String, reason: String)
    case missingField(model: String, property: String)
    case invalid(model: String, property: String, reason: String)
}

extension FieldValueError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .typeMismatch(let expected): "The stored value is not \(expected)."
        case .unknownChoice: "The stored value is not one of the choices."
        case .invalidJSON(let type, let reason): "The stored JSON is no \(type): \(reason)."
        case .missingField(let model, let property): "\(model).\(property): The record has no such field."
        case .invalid(let model, let property, let reason): "\(model).\(property): \(reason)"
        }
    }
}
