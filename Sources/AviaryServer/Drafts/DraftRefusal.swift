import AviaryDomain

/// Why a draft was not kept. The text stays on the page.
enum DraftRefusal: Error, Sendable, Hashable {
    case tooLarge(bytes: Int)
    case full(drafts: Int)
    case alreadySaved
    case alreadyDiscarded
    /// Another page has kept a newer copy.
    case elsewhere

    var text: String {
        switch self {
        case .tooLarge(let bytes):
            "Too long to keep as a draft (\(Words.grouped(bytes)) of \(Words.grouped(DraftCookies.largestDraft)) bytes). Saving still works; leaving loses it."
        case .full(let drafts):
            "Not kept as a draft: \(drafts) other \(drafts == 1 ? "draft takes" : "drafts take") up the room. Save or discard one of them. Saving still works; leaving loses it."
        case .alreadySaved:
            "This form was saved already, so changes to it are no longer kept as a draft. Reload the page to see what is stored."
        case .alreadyDiscarded:
            "This draft was discarded, so changes to it are no longer kept. Reload the page to begin again."
        case .elsewhere:
            "This draft was changed on another page, in a tab of this browser, so what you type here is not kept as a draft. Your text stays on this page; saving still works."
        }
    }
}
