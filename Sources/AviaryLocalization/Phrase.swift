/// An English sentence with its interpolated parts, which ``localized(_:)`` translates.
///
/// Write it as a string literal. Interpolated strings are inserted unchanged. Numbers are written in the notation of
/// the current language.
///
/// ```swift
/// localized("Delete “\(title)”?")
/// ```
public struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// The text itself when English is the current language, so that no look-up is necessary; otherwise the key, in
    /// which `%@` represents each part.
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

/// Returns a phrase in the current language.
///
/// ```swift
/// Route.get("/feeding") { request in .text(localized("Feed them at \(hour) o’clock.")) }
/// ```
///
/// The English sentence is the key of the translation in a ``Language``: `Feed them at %@ o’clock.`
///
/// - Parameter phrase: The English sentence.
/// - Returns: The translation, or the English sentence when the language has none.
public func localized(_ phrase: Phrase) -> String {
    guard let language = Language.current else { return phrase.key }
    return language.text(phrase.key, phrase.parts)
}

/// Returns a phrase in the current language, in the plural form for a number.
///
/// ```swift
/// localized(count, one: "1 record was changed", other: "\(count) records were changed")
/// ```
///
/// The key of the translation is the phrase of `other`: `%@ records were changed`. A ``Language`` has all forms
/// under this key.
///
/// - Parameters:
///   - count: The number that determines the plural form.
///   - one: The English phrase for the number 1.
///   - other: The English phrase for every other number.
/// - Returns: The translation, or the English phrase when the language has none.
public func localized(_ count: Int, one: @autoclosure () -> Phrase, other: @autoclosure () -> Phrase) -> String {
    guard let language = Language.current else { return count == 1 ? one().key : other().key }
    let phrase = other()
    guard let text = language.text(phrase.key, phrase.parts, count: count) else {
        return language.text(count == 1 ? one().key : phrase.key, count == 1 ? one().parts : phrase.parts)
    }
    return text
}

extension String {
    /// The word in the current language.
    ///
    /// The word comes from the application, such as the name of a model or the label of a field, and is itself the
    /// key.
    package var translated: String {
        guard let language = Language.current else { return self }
        return language.word(self)
    }
}

/// A phrase with placeholders: `%@` for the next part, `%2$@` for a numbered part.
package enum Template {
    static let part = "%@"

    /// Returns the template with the parts in place of the placeholders. A placeholder without a part stays
    /// unchanged.
    static func filled(_ template: String, with parts: [String], mark: (String) -> String = { $0 }) -> String {
        guard !parts.isEmpty else { return mark(template) }
        var text = "", literal = "", next = 0
        forEachPiece(of: template) { piece in
            switch piece {
            case .text(let piece): literal += piece
            case .part(let place, let written):
                let index = place ?? next
                if place == nil { next += 1 }
                guard parts.indices.contains(index) else {
                    literal += written
                    return
                }
                if !literal.isEmpty { text += mark(literal) }
                literal = ""
                text += parts[index]
            }
        }
        return literal.isEmpty ? text : text + mark(literal)
    }

    /// Returns the indexes (from 0) of the parts that the template uses, in ascending order.
    package static func places(in template: String) -> [Int] {
        var places: [Int] = [], next = 0
        forEachPiece(of: template) { piece in
            guard case .part(let place, _) = piece else { return }
            places.append(place ?? next)
            if place == nil { next += 1 }
        }
        return places.sorted()
    }

    private enum Piece {
        case text(Substring)
        /// A placeholder with the index of its part (from 0); nil for the next part.
        case part(Int?, written: Substring)
    }

    private static func forEachPiece(of template: String, _ body: (Piece) -> Void) {
        var rest = template[...]
        while let percent = rest.firstIndex(of: "%") {
            if percent > rest.startIndex { body(.text(rest[..<percent])) }
            rest = rest[percent...]
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let isNamed = !digits.isEmpty && rest[digits.endIndex...].hasPrefix("$@")
            if isNamed, let number = Int(digits), number > 0 {
                let end = rest.index(digits.endIndex, offsetBy: 2)
                body(.part(number - 1, written: rest[..<end]))
                rest = rest[end...]
            } else if rest.hasPrefix(part) {
                body(.part(nil, written: rest.prefix(2)))
                rest = rest.dropFirst(2)
            } else {
                body(.text(rest.prefix(1)))
                rest = rest.dropFirst()
            }
        }
        if !rest.isEmpty { body(.text(rest)) }
    }
}

/// A translation of an English phrase: one text, or one text for each plural form.
///
/// ```swift
/// ["Overview": "Übersicht", "%@ steps": .forms(["one": "%@ Schritt", "other": "%@ Schritte"])]
/// ```
public enum Translation: Sendable, Hashable, ExpressibleByStringLiteral {
    /// One text for every number.
    case text(String)
    /// Texts by the name of their ``PluralForm``. The text of `other` is used for every form that is missing.
    case forms([String: String])

    public init(stringLiteral text: String) {
        self = .text(text)
    }

    func text(for form: PluralForm) -> String? {
        switch self {
        case .text(let text): text
        case .forms(let forms): forms[form.rawValue] ?? forms[PluralForm.other.rawValue]
        }
    }

    /// All texts of the translation.
    package var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .forms(let forms): Array(forms.values)
        }
    }
}

extension Translation: Codable {
    /// Creates a translation by decoding a text or an object of texts by plural form.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {  // then it is an object, or the next line says what is wrong
            self = .text(text)
        } else {
            self = .forms(try container.decode([String: String].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .forms(let forms): try container.encode(forms)
        }
    }
}

/// The plural categories of Unicode (CLDR). Most languages have `one` and `other`.
public enum PluralForm: String, Sendable, CaseIterable {
    /// The category for 0 in some languages.
    case zero
    /// The category for 1, and for further numbers in some languages.
    case one
    /// The category for 2 in some languages.
    case two
    /// The category for small numbers in some languages.
    case few
    /// The category for large numbers in some languages.
    case many
    /// The category for all other numbers, which every language has.
    case other
}
