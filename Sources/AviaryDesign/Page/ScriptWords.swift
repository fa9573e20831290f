import AviaryLocalization
import Foundation

/// The texts of the scripts in the current language. The scripts contain the English texts.
enum ScriptWords {
    /// The translations as JSON; nil for English.
    static var inUse: String? {
        guard Language.current != nil else { return nil }
        let words = Dictionary(sentences.map { ($0, $0.translated) }, uniquingKeysWith: { first, _ in first })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The encoding of strings cannot fail. Without the translations, scripts use English.
        return (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The English texts of the scripts. A test compares them with the scripts.
    static let sentences = [
        "%@ in your time zone (%@)",
        "%@ selected",
        "Add a record",
        "Cancel",
        "Close",
        "Ctrl Z",
        "Del",
        "Delete the row, or what is selected",
        "Dismiss",
        "Done",
        "Enter",
        "It is not known whether this was saved: no answer has come. What you typed is still here; try again to make sure. It is stored once, however often you try.",
        "Kept as a draft in this browser. Nothing is stored until you save.",
        "Keys",
        "Looking for what you typed last…",
        "Move through the list",
        "Not cancelled, as far as is known: no answer has come. What you typed is still here; try again to make sure.",
        "Not cancelled: something is wrong with the server. What you typed is still here; try again in a moment.",
        "Not cancelled: the server does not answer. What you typed is still here; try again in a moment.",
        "Not cancelled: this device is offline. What you typed is still here; try again when it is connected.",
        "Not deleted. Reload the page and try again.",
        "Not kept as a draft this time, as far as is known: no answer has come. What you typed is still on this page; leave it open, and try again to make sure.",
        "Not kept as a draft this time: something is wrong with the server. What you typed is still on this page; leave it open, and try again in a moment.",
        "Not kept as a draft this time: the server does not answer. What you typed is still on this page; leave it open, and try again in a moment.",
        "Not kept as a draft this time: this device is offline. What you typed is still on this page; leave it open, and try again when it is connected.",
        "Not kept as a draft. Saving may still work; leaving loses it.",
        "Not kept as a draft: the server does not answer. Still trying.",
        "Not saved, as far as is known: the server does not answer. What you typed is still here; try again in a moment. It is stored once, however often you try.",
        "Not saved: something is wrong with the server. What you typed is still here; try again in a moment. It is stored once, however often you try.",
        "Not saved: this device is offline. What you typed is still here; try again when it is connected.",
        "Open the record",
        "Search",
        "Select all on this page",
        "Select the row",
        "Select",
        "Show these keys",
        "Still cancelling: the answer takes long.",
        "Still keeping the draft: the answer takes long.",
        "Still saving: the answer takes long.",
        "Stop waiting",
        "The server answers again. What you sent before was saved: only the answer was lost. Try again to go on.",
        "The server answers again. What you typed is kept as a draft, and not cancelled yet.",
        "The server answers again. What you typed is kept as a draft, and not saved yet.",
        "The server did not answer. Nothing is known to be deleted; reload to see.",
        "The server does not answer. Continue when it does: nothing is lost, and nothing is done twice.",
        "The server does not answer. Try again.",
        "Try again",
        "Undo the last delete",
        "Undo",
        "Use these keys in this browser",
        "What you typed last before leaving this page did not arrive in time.",
    ]
}
