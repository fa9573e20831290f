import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
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
        // The only error says that the copy is too large.
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

/// The messages of a page about drafts: those that can be continued, and those that could not be opened.
struct DraftBanners {
    let site: AdminSite
    let browserDrafts: BrowserDrafts
    let csrf: String
    let place: DraftOrigin
    /// The query string that leads back to the same part of a list.
    var location = ""
    /// The draft that was discarded, according to the address.
    var discarded: UUID?
    /// The draft that the user cancelled on the previous page.
    var cancelled: CancelledDraftCookie?

    /// The query parameter that contains the discarded draft's id.
    static let discarded = "discarded"

    /// Returns the banners for the drafts of one model, or of all models.
    func banners(of model: AdminModel? = nil, besides open: UUID? = nil, at now: Date = Date()) -> [DraftBanner] {
        browserDrafts.drafts.compactMap { kept in
            let draft = kept.draft
            guard draft.id != open, model == nil || model?.schema.name == draft.model,
                let owner = site.container.model(named: draft.model)
            else { return nil }
            return banner(draft, of: owner, at: now)
        }
    }

    var notices: [Notice] { [undo].compactMap { $0 } + unreadable }

    /// The notice that offers to restore a discarded draft, as long as its cookie exists.
    ///
    /// The form contains the text, sealed as a new draft, so that submitting it twice creates only one draft.
    private var undo: Notice? {
        if let cancelled { return undo(of: cancelled.draft, cookie: cancelled.cookie, sealed: cancelled.sealed) }
        guard let kept = browserDrafts.discarded.first(where: { $0.draft.id == discarded }),
            // A copy of a draft near the size limit may exceed it. The draft then cannot be restored.
            let cookie = try? site.drafts.keep(
                kept.draft.again(as: .version7(), at: site.now()), beside: BrowserDrafts())
        else { return nil }
        return undo(of: kept.draft, cookie: cookie.name, sealed: cookie.value)
    }

    private func undo(of draft: Draft, cookie: String, sealed: String) -> Notice? {
        guard let model = site.container.model(named: draft.model) else { return nil }
        let summary = summary(of: draft, model.schema)
        return Notice(
            .success,
            summary.map { localized("Discarded the draft \($0)") } ?? localized("Discarded the draft"),
            actions: [
                .post(
                    title: localized("Undo"), action: model.paths.reopenDraft, csrf: csrf,
                    hidden: [("cookie", cookie), ("sealed", sealed)] + back
                )
            ]
        )
    }

    private var unreadable: [Notice] {
        guard !browserDrafts.unreadable.isEmpty else { return [] }
        return [
            Notice(
                .information,
                localized(
                    "We couldn’t open a saved draft and removed it. Your records are unchanged."
                ))
        ]
    }

    private func banner(_ draft: Draft, of model: AdminModel, at now: Date) -> DraftBanner {
        let schema = model.schema
        let path = draft.isNew ? model.paths.new : model.paths.record(draft.record)
        return DraftBanner(
            title: draft.isNew ? localized("Add \(schema.singularName)") : localized("Edit \(schema.singularName)"),
            summary: summary(of: draft, schema),
            age: DateTextFormatter.age(of: draft.savedAt, at: now),
            continueHref: path.withQuery("draft=" + draft.id.canonicalText),
            discardAction: model.paths.discardDraft,
            csrf: csrf,
            hidden: [("draft", draft.id.canonicalText), ("id", draft.record.canonicalText)] + back,
            copy: draft.copy
        )
    }

    private var back: [(String, String)] {
        [(DraftOrigin.field, place.rawValue)] + (location.isEmpty ? [] : [("return", location)])
    }

    private func summary(of draft: Draft, _ schema: ModelSchema) -> String? {
        let typed = schema.title(typed: { draft.fields.value($0) }) ?? ""
        let summary = typed.count > 60 ? typed.prefix(60) + "…" : typed[...]
        return summary.allSatisfy(\.isWhitespace) ? nil : TextFormatter.quoted(summary)
    }
}

extension AdminRequestContext {
    /// The draft that was just discarded, according to the address.
    var discardedDraft: UUID? { query.value(DraftBanners.discarded).flatMap { UUID(canonicalText: $0) } }
}
