/// An English sentence with its interpolated parts, which ``localized(_:)`` translates.
///
/// Write it as a string literal. Interpolated strings are inserted unchanged. Numbers are written in the notation of
/// the current language.
///
/// ```swift
/// localized("Delete “\(title)”?")
/// ```
public struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// The text itself where English is the current language, so that nothing is looked up or built twice; otherwise
    /// the key, in which `%@` represents each part.
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

    /// The parts of a phrase, which the compiler collects from a string literal.
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

        /// Adds a string to the phrase, unchanged.
        public mutating func appendInterpolation(_ text: String) {
            guard language != nil else { return key += text }
            key += Template.part
            parts.append(text)
        }

        /// Adds a substring to the phrase, unchanged.
        public mutating func appendInterpolation(_ text: Substring) {
            appendInterpolation(String(text))
        }

        /// Adds an integer to the phrase, with its digits grouped as in the current language.
        public mutating func appendInterpolation(_ number: Int) {
            appendInterpolation(NumberText.grouped(number, in: language))
        }
    }
}
