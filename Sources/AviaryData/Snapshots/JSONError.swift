/// Why bytes are not one JSON value (RFC 8259).
enum JSONError: Error, Sendable, Hashable {
    case ended
    case unexpectedByte
    case invalidNumber
    case invalidText
    case duplicateKey
    case tooDeep
    /// The value is complete, and something follows.
    case trailing
    /// It is JSON, but of another type.
    case otherType(expected: String)
}

extension JSONError: CustomStringConvertible {
    var description: String {
        switch self {
        case .ended: "it ends too early."
        case .unexpectedByte: "a character is out of place."
        case .invalidNumber: "a number is malformed."
        case .invalidText: "a text is malformed."
        case .duplicateKey: "a name is there twice."
        case .tooDeep: "it is nested too deeply."
        case .trailing: "something follows the value."
        case .otherType(let expected): "\(expected) is expected."
        }
    }
}
