import Foundation

extension Language {
    /// German, with a translation of every phrase.
    public static let german = Language(
        "de", name: "Deutsch", decimalSeparator: ",", groupingSeparator: ".",
        // A test reads the catalogue: one that cannot be read leaves English.
        phrases: (try? phrases(json: PackageResources.de_json)) ?? [:]
    )

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

    /// What the language has, by the English phrase.
    package var catalogue: [String: Translation] { phrases }
}
