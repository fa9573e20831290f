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
