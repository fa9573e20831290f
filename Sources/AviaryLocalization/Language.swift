import Foundation
import Synchronization

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
    /// The translations, by English phrase, without those of the catalogue.
    private var phrases: [String: Translation]
    /// The catalogue that has all other translations; nil if there is none.
    private var shipped: ShippedCatalogue?
    /// Indicates whether phrases are marked instead of translated.
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

    private func translation(of phrase: String) -> Translation? { phrases[phrase] ?? shipped?.phrases[phrase] }

    /// The translations of the language, by English phrase.
    package var catalogue: [String: Translation] { (shipped?.phrases ?? [:]).merging(phrases) { $1 } }

    /// Indicates whether the language is English without additional phrases, so that no look-up is necessary.
    package var isPlainEnglish: Bool {
        code == Self.english.code && phrases.isEmpty && shipped == nil && !isPseudo
    }
}

/// A catalogue of the program, which is parsed when its first phrase is looked up.
///
/// Parsing takes some milliseconds, and a process that starts needs none of its phrases.
private final class ShippedCatalogue: Sendable {
    private let json: [UInt8]
    private let parsed = Mutex<[String: Translation]?>(nil)

    init(json: [UInt8]) {
        self.json = json
    }

    var phrases: [String: Translation] {
        parsed.withLock { parsed in
            if let parsed { return parsed }
            // A test parses the catalogue. If the catalogue cannot be parsed, the phrases stay English.
            let phrases = (try? Language.phrases(json: json)) ?? [:]
            parsed = phrases
            return phrases
        }
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
}

extension Language {
    @TaskLocal private static var inUse: Language?

    /// The current language of the task, in which ``localized(_:)`` writes phrases; nil for English.
    ///
    /// The server sets it while it answers a request. Nil needs no look-up.
    public static var current: Language? { inUse }

    /// Runs an operation in which this language is the current one.
    ///
    /// ```swift
    /// let text = await Language.german.use { localized("Overview") }
    /// ```
    ///
    /// - Parameters:
    ///   - isolation: The actor of the caller.
    ///   - operation: The operation to run.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    public func use<Value>(
        isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> Value
    ) async rethrows -> Value {
        guard !isPlainEnglish || Self.inUse != nil else { return try await operation() }
        return try await Self.$inUse.withValue(isPlainEnglish ? nil : self, operation: operation)
    }

    /// Returns work that runs in the current language on a thread of its own, which does not inherit task-local
    /// values.
    package static func carried<Value>(by work: @escaping @Sendable () throws -> Value) -> @Sendable () throws -> Value
    {
        guard let language = inUse else { return work }
        return { try Self.$inUse.withValue(language, operation: work) }
    }

    /// The code of the current language, for the `lang` attribute.
    package static var currentCode: String { inUse?.code ?? english.code }
}

extension Language {
    /// Returns the language that a browser prefers; nil when its header names none of the languages.
    ///
    /// - Parameters:
    ///   - header: The value of `Accept-Language`, such as `de-AT, de;q=0.9, en;q=0.8`.
    ///   - languages: The available languages.
    package static func preferred(by header: String, of languages: [Language]) -> Language? {
        var best: (language: Language, weight: Double)?
        // Limit the work: entries after the first 20 are ignored.
        for range in header.split(separator: ",", maxSplits: 20).prefix(20) {
            let fields = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let code = fields.first, let language = languages.first(answering: code) else { continue }
            let weight = fields.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            // Among languages of equal weight, the first wins.
            if weight > 0, weight > best?.weight ?? 0 { best = (language, weight) }
        }
        return best?.language
    }
}

extension [Language] {
    package subscript(code code: String) -> Language? {
        first { $0.code.lowercased() == code.lowercased() }
    }

    /// Returns the language with this code, or one with the same primary tag, such as `de` for `de-AT`.
    fileprivate func first(answering code: String) -> Language? {
        if let language = self[code: code] { return language }
        let primary = code.prefix { $0 != "-" }.lowercased()
        return first { $0.code.prefix { $0 != "-" }.lowercased() == primary && !$0.isPseudo }
    }
}

extension Language {
    func text(_ key: String, _ parts: [String]) -> String {
        if isPseudo { return Template.filled(key, with: parts, mark: Self.marked) }
        let template = translation(of: key)?.text(for: .other) ?? key
        return parts.isEmpty ? template : Template.filled(template, with: parts)
    }

    /// Returns the phrase in the plural form of a count; nil when the language has no such phrase.
    func text(_ key: String, _ parts: [String], count: Int) -> String? {
        if isPseudo { return Template.filled(key, with: parts, mark: Self.marked) }
        guard let template = translation(of: key)?.text(for: pluralForm(count)) else { return nil }
        return Template.filled(template, with: parts)
    }

    func word(_ word: String) -> String {
        if isPseudo { return word.isEmpty ? word : Self.marked(word) }
        return translation(of: word)?.text(for: .other) ?? word
    }

    private static func marked(_ text: String) -> String {
        text.contains(where: \.isLetter) ? "⟦\(text)⟧" : text
    }
}

extension Language {
    /// German, with a translation of every phrase.
    public static let german: Language = {
        var language = Language("de", name: "Deutsch", decimalSeparator: ",", groupingSeparator: ".", phrases: [:])
        language.shipped = ShippedCatalogue(json: PackageResources.de_json)
        return language
    }()

    /// Returns the phrases of a catalogue in JSON: an object that maps each English phrase to a text or to an object of
    /// plural forms.
    ///
    /// ```json
    /// { "Overview": "Übersicht", "%@ steps": { "one": "%@ Schritt", "other": "%@ Schritte" } }
    /// ```
    ///
    /// - Parameter json: The UTF-8 bytes of the catalogue.
    /// - Throws: `DecodingError` when the bytes are not such an object.
    public static func phrases(json: some Sequence<UInt8>) throws -> [String: Translation] {
        try JSONDecoder().decode([String: Translation].self, from: Data(json))
    }
}

/// Conversions between numbers in machine notation and numbers as people read and type them.
package enum NumberText {
    /// Returns a number with grouped digits: `12,408` in English, `12.408` in German.
    package static func grouped(_ number: Int, in language: Language? = .current) -> String {
        grouped(String(number), in: language)
    }

    /// Returns a number in machine notation, such as `-12408.75`, with grouped digits: `-12,408.75`.
    package static func grouped(_ number: String, in language: Language? = .current) -> String {
        let sign = number.hasPrefix("-") ? "-" : ""
        let whole = number.dropFirst(sign.count).prefix(while: \.isNumber)
        let separator = language?.groupingSeparator ?? ","
        var text = sign
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index) % 3 == 0 { text += separator }
            text.append(digit)
        }
        return text + fraction(number.dropFirst(sign.count + whole.count), in: language)
    }

    /// Returns a number in machine notation without grouping, with the decimal separator of the language: `1234,5`.
    package static func ungrouped(_ number: String, in language: Language? = .current) -> String {
        guard let language, language.decimalSeparator != ".", let point = number.firstIndex(of: ".") else {
            return number
        }
        return number[..<point] + fraction(number[point...], in: language)
    }

    /// Returns a number that a person typed, in machine notation.
    ///
    /// A single comma becomes a point when the language has a decimal comma. A text that contains a point too is
    /// ambiguous, and the function returns it unchanged.
    package static func typed(_ text: String, in language: Language? = .current) -> String {
        guard language?.decimalSeparator == ",", !text.contains("."), text.count(where: { $0 == "," }) == 1 else {
            return text
        }
        return text.replacing(",", with: ".")
    }

    private static func fraction(_ rest: Substring, in language: Language?) -> String {
        guard let language, rest.hasPrefix(".") else { return String(rest) }
        return language.decimalSeparator + rest.dropFirst()
    }
}
