import Foundation

extension Language {
    /// German, complete.
    public static let german = Language(
        "de", name: "Deutsch", decimalSeparator: ",", groupingSeparator: ".",
        // A test reads the catalogue: one that cannot be read leaves English.
        phrases: (try? phrases(json: PackageResources.de_json)) ?? [:]
    )

    /// Phrases from a catalogue in JSON: an object that has a text for every English phrase, or an object of its forms.
    ///
    /// ```json
    /// { "Overview": "Übersicht", "%@ steps": { "one": "%@ Schritt", "other": "%@ Schritte" } }
    /// ```
    ///
    /// - Throws: `DecodingError` for what is no such object.
    public static func phrases(json: some Sequence<UInt8>) throws -> [String: Translation] {
        try JSONDecoder().decode([String: Translation].self, from: Data(json))
    }

    /// What the language has, by the English phrase.
    package var catalogue: [String: Translation] { phrases }
}
