import AviaryLocalization
import Foundation

/// What scripts say: each of their sentences in the language in use. English they know themselves.
enum ScriptWords {
    /// As JSON; nil where English is in use.
    static var inUse: String? {
        guard Language.current != nil else { return nil }
        let words = Dictionary(sentences.map { ($0, $0.translated) }, uniquingKeysWith: { first, _ in first })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Texts alone can always be written; without them scripts speak English.
        return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A test compares them with the scripts.
    static let sentences = [
        "%@ in your time zone (%@)",
        "%@ selected",
        "Add a record",
        "Cancel",
        "Close",
        "Delete the row, or what is selected",
        "Dismiss",
        "Done",
        "Kept as a draft in this browser. Nothing is stored until you save.",
        "Keys",
        "Move through the list",
        "Not deleted. Reload the page and try again.",
        "Not kept as a draft. Saving may still work; leaving loses it.",
        "Not kept as a draft: the server does not answer. Still trying.",
        "Open the record",
        "Search",
        "Select",
        "Select all on this page",
        "Select the row",
        "Show these keys",
        "The server did not answer. Nothing is known to be deleted; reload to see.",
        "The server does not answer. Continue when it does: nothing is lost, and nothing is done twice.",
        "The server does not answer. Try again.",
        "Undo",
        "Undo the last delete",
        "Use these keys in this browser",
    ]
}
