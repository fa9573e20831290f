import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import Hummingbird

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
