import AviaryLocalization
import Foundation

/// The texts of the scripts in the current language. The scripts contain the English texts.
enum ScriptText {
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
        "Add record",
        "Cancel",
        "Close",
        "Couldn’t confirm the cancellation: the server didn’t respond. Your changes are still here, and it’s safe to try again.",
        "Couldn’t confirm the delete: the server didn’t respond. Reload the page to check.",
        "Couldn’t confirm the draft: the server didn’t respond. Leave this page open, and try again.",
        "Couldn’t confirm the save: the server didn’t respond. Your changes are still here, and it’s safe to try again.",
        "Couldn’t load your latest changes in time. Check the fields before you save.",
        "Couldn’t reach the server, so your changes may not be saved. They’re still here, and it’s safe to try again.",
        "Ctrl Z",
        "Del",
        "Delete row or selection",
        "Dismiss",
        "Done",
        "Draft not saved. Save now, or your changes are lost when you leave.",
        "Draft not saved: something went wrong on the server. Leave this page open, and try again in a moment.",
        "Draft not saved: the server isn’t responding. Leave this page open, and try again in a moment.",
        "Draft not saved: the server isn’t responding. Still trying.",
        "Draft not saved: you’re offline. Leave this page open, and try again when you’re back online.",
        "Draft not saved: you’re offline. Still trying.",
        "Draft saved in this browser. Changes apply once you save.",
        "Enter",
        "Keyboard shortcuts",
        "Loading your latest changes…",
        "Move up or down",
        "Not cancelled yet. Your changes are kept as a draft.",
        "Not cancelled: something went wrong on the server. Your changes are still here. Try again in a moment.",
        "Not cancelled: the server isn’t responding. Your changes are still here. Try again in a moment.",
        "Not cancelled: you’re offline. Your changes are still here. Try again when you’re back online.",
        "Not deleted. Reload the page and try again.",
        "Not saved yet. Your changes are kept as a draft.",
        "Not saved: something went wrong on the server. Your changes are still here, and it’s safe to try again.",
        "Not saved: you’re offline. Your changes are still here. Try again when you’re back online.",
        "Open record",
        "Saved earlier: only the server’s response was lost. Try again to continue.",
        "Search",
        "Select all on this page",
        "Select row",
        "Select",
        "Show keyboard shortcuts",
        "Still cancelling: the server is slow to respond.",
        "Still saving the draft: the server is slow to respond.",
        "Still saving: the server is slow to respond.",
        "Stop waiting",
        "The server isn’t responding. Select Continue when it’s back. Nothing is lost or done twice.",
        "The server isn’t responding. Try again.",
        "Try again",
        "Undo last delete",
        "Undo",
        "Use keyboard shortcuts in this browser",
    ]
}
