/// The phrase in the language in use.
///
/// ```swift
/// Route.get("/feeding") { request in .text(localized("Feed them at \(hour) o’clock.")) }
/// ```
///
/// The English sentence is the key under which a ``Language`` has its own: `Feed them at %@ o’clock.`
public func localized(_ phrase: Phrase) -> String {
    guard let language = Language.current else { return phrase.key }
    return language.text(phrase.key, phrase.parts)
}

/// The phrase in the language in use, in the form that goes with the number.
///
/// ```swift
/// localized(count, one: "1 record was changed", other: "\(count) records were changed")
/// ```
///
/// A language has the forms under the key that `other` is: `%@ records were changed`.
public func localized(_ count: Int, one: @autoclosure () -> Phrase, other: @autoclosure () -> Phrase) -> String {
    guard let language = Language.current else { return count == 1 ? one().key : other().key }
    let phrase = other()
    guard let text = language.text(phrase.key, phrase.parts, count: count) else {
        return language.text(count == 1 ? one().key : phrase.key, count == 1 ? one().parts : phrase.parts)
    }
    return text
}

extension String {
    /// What the application calls something, in the language in use: a word that the program does not know, such as a
    /// model's name or a field's label, looked up as it is.
    package var translated: String {
        guard let language = Language.current else { return self }
        return language.word(self)
    }
}
