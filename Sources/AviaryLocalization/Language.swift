/// A language of the pages: its phrases, and its notation of numbers.
///
/// The sentences of the program are written in English where they are used. A language contains their translations. An
/// application adds the words of its own models:
///
/// ```swift
/// var languages: [Language] {
///     [.english, .german.adding(["animal": "Tier", "animals": "Tiere"])]
/// }
/// ```
///
/// A phrase without a translation stays English.
public struct Language: Sendable, Identifiable {
    /// The language tag (BCP 47), as in the `Accept-Language` header: `de`, `pt-BR`.
    public let code: String
    /// The name of the language in the language itself: `Deutsch`.
    public let name: String
    let decimalSeparator: String
    let groupingSeparator: String
    let pluralForm: @Sendable (Int) -> PluralForm
    /// By the English phrase.
    private(set) var phrases: [String: Translation]
    /// Whether every phrase is marked instead of being translated.
    var isPseudo = false

    /// The language tag.
    public var id: String { code }

    /// Creates a language.
    ///
    /// ```swift
    /// let dutch = Language("nl", name: "Nederlands", decimalSeparator: ",", groupingSeparator: ".", phrases: [
    ///     "Overview": "Overzicht",
    ///     "Delete %@?": "%@ verwijderen?",
    ///     "%@ steps": .forms(["one": "%@ stap", "other": "%@ stappen"]),
    /// ])
    /// ```
    ///
    /// - Parameters:
    ///   - code: The language tag (BCP 47).
    ///   - name: The name of the language in the language itself.
    ///   - decimalSeparator: The separator between the integer and the fraction of a number.
    ///   - groupingSeparator: The separator between groups of three digits.
    ///   - pluralForm: A closure that returns the plural form for a number; the rule of English by default.
    ///   - phrases: The translations, by English phrase. In a phrase, `%@` represents each interpolated part. A
    ///     translation may number the parts, as in `%2$@`.
    public init(
        _ code: String, name: String, decimalSeparator: String = ".", groupingSeparator: String = ",",
        pluralForm: @escaping @Sendable (Int) -> PluralForm = { $0 == 1 ? .one : .other },
        phrases: [String: Translation]
    ) {
        self.code = code
        self.name = name
        self.decimalSeparator = decimalSeparator
        self.groupingSeparator = groupingSeparator
        self.pluralForm = pluralForm
        self.phrases = phrases
    }

    /// Returns a copy of the language with further phrases, or with other translations of its phrases.
    ///
    /// ```swift
    /// Language.german.adding(["clutch size": "Gelegegröße"])
    /// ```
    ///
    /// - Parameter phrases: The translations, by English phrase.
    public func adding(_ phrases: [String: Translation]) -> Language {
        var language = self
        language.phrases.merge(phrases) { $1 }
        return language
    }
}

extension Language {
    /// English, the language of the program. It needs no phrases. You can add phrases to it to replace words of the
    /// program.
    public static let english = Language("en", name: "English", phrases: [:])

    /// A pseudo-language for tests, which puts every phrase between `⟦` and `⟧`. Text without these marks does not come
    /// from the catalogue.
    ///
    /// ```swift
    /// var languages: [Language] { [.english, .pseudo] }
    /// ```
    public static let pseudo: Language = {
        var language = Language("en-XA", name: "⟦Pseudo⟧", phrases: [:])
        language.isPseudo = true
        return language
    }()

    /// What the program says by itself: nothing to look up.
    package var isPlainEnglish: Bool { code == Self.english.code && phrases.isEmpty && !isPseudo }
}
