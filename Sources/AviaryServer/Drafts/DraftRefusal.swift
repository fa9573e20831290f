import AviaryDomain

/// Why a draft was not kept. The text stays on the page.
enum DraftRefusal: Error, Sendable, Hashable {
    case tooLarge(bytes: Int)
    case full(drafts: Int)
    case alreadySaved
    case alreadyDiscarded
    /// Another page has kept a newer copy.
    case elsewhere

    /// For the script that keeps drafts.
    var answer: [String: String] {
        self == .alreadySaved ? ["error": text, "outcome": "saved"] : ["error": text]
    }

    var text: String {
        switch self {
        case .tooLarge(let bytes):
            localized(
                "Too long to keep as a draft (\(bytes) of \(DraftCookies.largestDraft) bytes). Saving still works; leaving loses it."
            )
        case .full(let drafts):
            localized(
                drafts,
                one:
                    "Not kept as a draft: 1 other draft takes up the room; the overview lists it. Save or discard it. Saving still works; leaving loses it.",
                other:
                    "Not kept as a draft: \(drafts) other drafts take up the room; the overview lists them. Save or discard one of them. Saving still works; leaving loses it."
            )
        case .alreadySaved:
            localized(
                "This form was saved already, so changes to it are no longer kept as a draft. Reload the page to see what is stored."
            )
        case .alreadyDiscarded:
            localized("This draft was discarded, so changes to it are no longer kept. Reload the page to begin again.")
        case .elsewhere:
            localized(
                "This draft was changed on another page, in a tab of this browser, so what you type here is not kept as a draft. Your text stays on this page; saving still works."
            )
        }
    }
}
