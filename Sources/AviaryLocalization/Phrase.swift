/// A sentence of the program as it stands in the code: in English, with the parts that change in their places.
///
/// It is what ``localized(_:)`` takes, written as a text. What stands in it is put in as it is; numbers are written as the
/// language writes them.
///
/// ```swift
/// localized("Delete “\(title)”?")
/// ```
public struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// Where English is in use the text itself, so that nothing is looked up or put together twice; else the key, in which
    /// `%@` stands for each part.
    let key: String
    let parts: [String]

    public init(stringLiteral text: String) {
        key = text
        parts = []
    }

    public init(stringInterpolation: StringInterpolation) {
        key = stringInterpolation.key
        parts = stringInterpolation.parts
    }

    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var key: String
        fileprivate var parts: [String] = []
        private let language = Language.current

        public init(literalCapacity: Int, interpolationCount: Int) {
            key = ""
            key.reserveCapacity(literalCapacity + interpolationCount * 12)
        }

        public mutating func appendLiteral(_ text: String) {
            key += text
        }

        public mutating func appendInterpolation(_ text: String) {
            guard language != nil else { return key += text }
            key += Template.part
            parts.append(text)
        }

        public mutating func appendInterpolation(_ text: Substring) {
            appendInterpolation(String(text))
        }

        /// Thousands are grouped as the language in use does it.
        public mutating func appendInterpolation(_ number: Int) {
            appendInterpolation(NumberText.grouped(number, in: language))
        }
    }
}
