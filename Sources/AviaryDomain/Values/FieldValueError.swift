/// A stored value that does not fit the property it was read for. Never carries the value itself.
public enum FieldValueError: Error, Sendable, Hashable {
    case typeMismatch(expected: String)
    case unknownChoice
    case missingField(String)
    case invalid(property: String, reason: String)
}

extension FieldValueError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .typeMismatch(let expected): "The stored value is not \(expected)."
        case .unknownChoice: "The stored value is not one of the choices."
        case .missingField(let name): "The record has no field \"\(name)\"."
        case .invalid(let property, let reason): "\(property): \(reason)"
        }
    }
}
