import AviaryDomain
import Foundation
import Hummingbird

/// The drafts that one browser holds.
struct DraftShelf: Sendable {
    var drafts: [KeptDraft] = []
    /// Names of draft cookies that are forged, foreign, damaged or expired.
    var unreadable: [String] = []
    /// Names of draft cookies whose draft was saved or discarded meanwhile.
    var settled: [String] = []
    /// Those of the settled that were discarded.
    var discarded: [KeptDraft] = []

    func draft(_ id: UUID) -> KeptDraft? {
        drafts.first { $0.draft.id == id }
    }

    /// The newest draft of a new record of the model.
    func newest(adding model: ModelSchema) -> KeptDraft? {
        drafts.first { $0.draft.isNew && $0.draft.model == model.name }
    }

    /// The draft of changes to the record.
    func draft(editing record: UUID, of model: ModelSchema) -> KeptDraft? {
        drafts.first { !$0.draft.isNew && $0.draft.model == model.name && $0.draft.record == record }
    }

    /// The draft that a newer copy, or another one of the same record, takes the place of.
    func draft(ofSameSubjectAs draft: Draft) -> KeptDraft? {
        drafts.first { kept in
            guard kept.draft.model == draft.model, kept.draft.isNew == draft.isNew else { return false }
            return draft.isNew ? kept.draft.id == draft.id : kept.draft.record == draft.record
        }
    }
}

/// A draft and the cookie that it came in.
struct KeptDraft: Sendable {
    let cookie: String
    let draft: Draft
    /// Name and value, in bytes.
    let size: Int
}

/// The text of a sheet that was just cancelled, for the page that Cancel leads to, and for no other: the browser forgets it with
/// that page, or after a minute. It is sealed as another draft; the cancelled one stays so.
struct CancelledDraft: Sendable {
    let draft: Draft
    /// The cookie in which it would go on, and what would be in it.
    let cookie: String
    let sealed: String

    private static let lifetime = 60
    /// In no name and in no value of a draft's cookie.
    private static let separator: Character = "~"

    /// Nil where there is none of the model's.
    init?(_ context: AdminRequestContext, of model: ModelSchema, user: String, in site: AdminSite) {
        let parts =
            context.cookies?[site.drafts.names.cancelled]?.value.split(separator: Self.separator, maxSplits: 1) ?? []
        guard let cookie = parts.first.map(String.init), let sealed = parts.dropFirst().first.map(String.init),
            let kept = site.drafts.open(sealed, cookie: cookie, user: user, at: site.now()),
            kept.draft.model == model.name
        else { return nil }
        (draft, self.cookie, self.sealed) = (kept.draft, cookie, sealed)
    }

    /// Nil for a draft that just fitted and does not any more: then it cannot be brought back.
    static func keep(_ draft: Draft, in site: AdminSite) -> Cookie? {
        guard let cookie = try? site.drafts.keep(draft.again(as: .version7(), at: site.now()), beside: DraftShelf())
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

/// On which page a draft was shown that is discarded: there one goes on.
enum DraftPlace: String, Sendable {
    case overview, list

    /// The field of a form that tells it.
    static let field = "from"

    /// Nil for a sheet's own form.
    init?(_ form: [FormField]) {
        guard let text = form.value(Self.field) else { return nil }
        self.init(rawValue: text)
    }
}

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
