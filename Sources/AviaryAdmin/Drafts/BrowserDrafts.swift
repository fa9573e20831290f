import AviaryDomain
import Foundation
import Hummingbird

/// The drafts that one browser holds.
struct BrowserDrafts: Sendable {
    var drafts: [StoredDraft] = []
    /// The names of draft cookies that are forged, foreign, damaged or expired.
    var unreadable: [String] = []
    /// The names of draft cookies whose draft was saved or discarded meanwhile.
    var settled: [String] = []
    /// The settled drafts that were discarded.
    var discarded: [StoredDraft] = []

    /// Indicates whether the browser sent no draft at all.
    var isEmpty: Bool { drafts.isEmpty && unreadable.isEmpty && settled.isEmpty && discarded.isEmpty }

    func draft(_ id: UUID) -> StoredDraft? {
        drafts.first { $0.draft.id == id }
    }

    /// Returns the newest draft of a new record of the model.
    func newest(adding model: ModelSchema) -> StoredDraft? {
        drafts.first { $0.draft.isNew && $0.draft.model == model.name }
    }

    /// Returns the draft of changes to a record.
    func draft(editing record: UUID, of model: ModelSchema) -> StoredDraft? {
        drafts.first { !$0.draft.isNew && $0.draft.model == model.name && $0.draft.record == record }
    }

    /// Returns the draft that a given draft replaces: an older copy of it, or another draft of the same record.
    func draft(ofSameSubjectAs draft: Draft) -> StoredDraft? {
        drafts.first { kept in
            guard kept.draft.model == draft.model, kept.draft.isNew == draft.isNew else { return false }
            return draft.isNew ? kept.draft.id == draft.id : kept.draft.record == draft.record
        }
    }
}

/// A draft and its cookie.
struct StoredDraft: Sendable {
    let cookie: String
    let draft: Draft
    /// The size of the cookie's name and value, in bytes.
    let size: Int
}

/// The text of a sheet that the user has just cancelled, for the page to which Cancel leads.
///
/// The browser removes it after that page or after a minute. It is sealed as a new draft, so that the cancelled one
/// remains discarded.
struct CancelledDraftCookie: Sendable {
    let draft: Draft
    /// The name of the cookie that would continue the draft. `sealed` is its value.
    let cookie: String
    let sealed: String

    private static let lifetime = 60
    /// A character that no name and no value of a draft's cookie contains.
    private static let separator: Character = "~"

    /// Reads the cancelled draft of a request, or returns nil if there is none of this model.
    init?(_ context: AdminRequestContext, of model: ModelSchema, user: String, in site: AdminSite) {
        let parts =
            context.cookies?[site.drafts.names.cancelled]?.value.split(separator: Self.separator, maxSplits: 1) ?? []
        guard let cookie = parts.first.map(String.init), let sealed = parts.dropFirst().first.map(String.init),
            let kept = site.drafts.open(sealed, cookie: cookie, user: user, at: site.now()),
            kept.draft.model == model.name
        else { return nil }
        (draft, self.cookie, self.sealed) = (kept.draft, cookie, sealed)
    }

    /// Returns the cookie for a draft, or nil if its new copy exceeds the size limit. The draft then cannot be
    /// restored.
    static func keep(_ draft: Draft, in site: AdminSite) -> Cookie? {
        guard let cookie = try? site.drafts.keep(draft.again(as: .version7(), at: site.now()), beside: BrowserDrafts())
        else { return nil }
        return self.cookie(cookie.name + String(separator) + cookie.value, maxAge: lifetime, site.drafts.names)
    }

    static func forget(_ names: CookieNames) -> Cookie { cookie("", maxAge: 0, names) }

    private static func cookie(_ value: String, maxAge: Int, _ names: CookieNames) -> Cookie {
        Cookie(
            name: names.cancelled, value: value, maxAge: maxAge, path: "/", secure: names.areSecure, httpOnly: true,
            sameSite: .strict)
    }
}

/// The page on which a discarded draft was shown, and to which the answer returns.
enum DraftOrigin: String, Sendable {
    case overview, list

    /// The form field that contains the place.
    static let field = "from"

    /// Reads the place from a form, or returns nil for a sheet's own form.
    init?(_ form: [FormField]) {
        guard let text = form.value(Self.field) else { return nil }
        self.init(rawValue: text)
    }
}

/// The reason why a draft was not stored. The text remains on the page.
enum DraftError: Error, Sendable, Hashable {
    case tooLarge(bytes: Int)
    case full(drafts: Int)
    case alreadySaved
    case alreadyDiscarded
    /// Another page has stored a newer copy.
    case elsewhere

    /// The answer for the script that stores drafts.
    var answer: [String: String] {
        self == .alreadySaved ? ["error": text, "outcome": "saved"] : ["error": text]
    }

    var text: String {
        switch self {
        case .tooLarge(let bytes):
            localized(
                "Draft not saved: too long (\(bytes) of \(DraftCookies.largestDraft) bytes). Save now, or your changes are lost when you leave."
            )
        case .full(let drafts):
            localized(
                drafts,
                one:
                    "Draft not saved: 1 other draft takes up the room. Save now, or save or discard that draft first. It is listed in the overview.",
                other:
                    "Draft not saved: \(drafts) other drafts take up the room. Save now, or save or discard one of those drafts first. They are listed in the overview."
            )
        case .alreadySaved:
            localized(
                "This form was already saved, so new changes aren’t kept as a draft. Reload the page to see the saved record."
            )
        case .alreadyDiscarded:
            localized("This draft was discarded, so new changes aren’t kept. Reload the page to start over.")
        case .elsewhere:
            localized(
                "This draft was changed in another tab of this browser, so your changes here aren’t kept as a draft. You can still save them."
            )
        }
    }
}
