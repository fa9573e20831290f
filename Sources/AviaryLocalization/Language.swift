/// A language that pages are written in: its phrases, and how it writes numbers.
///
/// The program's own sentences are English and stand where they are used; a language says what each of them is in it. An
/// application gives it the words of its own models:
///
/// ```swift
/// var languages: [Language] {
///     [.english, .german.adding(["animal": "Tier", "animals": "Tiere"])]
/// }
/// ```
///
/// A phrase that a language does not have stays English.
public struct Language: Sendable, Identifiable {
    /// As browsers name it (BCP 47): `de`, `pt-BR`.
    public let code: String
    /// What the language calls itself: `Deutsch`.
    public let name: String
    let decimalSeparator: String
    let groupingSeparator: String
    let pluralForm: @Sendable (Int) -> PluralForm
    /// By the English phrase.
    private(set) var phrases: [String: Translation]
    /// Whether every phrase is marked instead of being translated.
    var isPseudo = false

    public var id: String { code }

    /// A language beside those that come along.
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
    ///   - code: As browsers name it (BCP 47).
    ///   - name: What the language calls itself.
    ///   - decimalSeparator: Before the part of a number that is less than one.
    ///   - groupingSeparator: Between thousands.
    ///   - pluralForm: The form that goes with a number; English's rule unless given.
    ///   - phrases: By the English phrase, in which `%@` stands for every part that changes. A translation may name them by
    ///     their places, `%2$@`.
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

    /// The same language with more phrases, or with other words for those that it has.
    ///
    /// ```swift
    /// Language.german.adding(["clutch size": "Gelegegröße"])
    /// ```
    public func adding(_ phrases: [String: Translation]) -> Language {
        var language = self
        language.phrases.merge(phrases) { $1 }
        return language
    }
}

extension Language {
    /// What the program is written in. It needs no phrases, and may be given other words for them.
    public static let english = Language("en", name: "English", phrases: [:])

    /// For tests: every phrase stands between `⟦` and `⟧`, so that what is written past the catalogue is seen at once.
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
