/// An error that reports a stored value that does not fit the property it is read for. It never contains the value.
public enum FieldValueError: Error, Sendable, Hashable {
    /// The value has another type than the expected one, or is out of its range.
    case typeMismatch(expected: String)
    /// The value is not a raw value of the choice.
    case unknownChoice
    /// The stored JSON text does not decode to the Swift type. The reason names the place in the text.
    case invalidJSON(type: String, reason: String)
    /// The record has no value for the property.
    case missingField(model: String, property: String)
    /// The value does not fit the named property, for the given reason.
    case invalid(model: String, property: String, reason: String)
}

extension FieldValueError: CustomStringConvertible {
    /// A sentence that describes the error.
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
