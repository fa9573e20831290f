import AviaryDomain

/// A reason for which bytes are not one JSON value (RFC 8259).
enum JSONError: Error, Sendable, Hashable {
    case ended
    case unexpectedByte
    case invalidNumber
    case invalidText
    case duplicateKey
    case tooDeep
    case tooManyNames
    /// More values than its reader takes.
    case tooManyValues
    /// The value is complete, and something follows.
    case trailing
    /// The JSON value is of another type.
    case otherType(expected: ExpectedType)

    enum ExpectedType: String, Sendable {
        case object = "an object"
        case list = "a list"
        case text = "a text"
        case number = "a number"
        case wholeNumber = "a whole number"
        case truthValue = "true or false"
        case bytes = "bytes in Base64"
        case storedValue = "a stored value"
        case twoValues = "two values"
    }
}

extension JSONError: CustomStringConvertible {
    var description: String {
        switch self {
        case .ended: localized("it ends too early.")
        case .unexpectedByte: localized("a character is out of place.")
        case .invalidNumber: localized("a number is malformed.")
        case .invalidText: localized("a text is malformed.")
        case .duplicateKey: localized("a name is there twice.")
        case .tooDeep: localized("it is nested too deeply.")
        case .tooManyNames: localized("an object in it has more than \(String(JSONReader.nameLimit)) names.")
        case .tooManyValues: localized("it has too many values.")
        case .trailing: localized("something follows the value.")
        case .otherType(let expected): expected.sentence
        }
    }
}

extension JSONError.ExpectedType {
    fileprivate var sentence: String {
        switch self {
        case .object: localized("an object is expected.")
        case .list: localized("a list is expected.")
        case .text: localized("a text is expected.")
        case .number: localized("a number is expected.")
        case .wholeNumber: localized("a whole number is expected.")
        case .truthValue: localized("true or false is expected.")
        case .bytes: localized("bytes in Base64 are expected.")
        case .storedValue: localized("a stored value is expected.")
        case .twoValues: localized("two values are expected.")
        }
    }
}
