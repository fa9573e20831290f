import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation

/// What pages say about drafts: those that wait to be continued, and those that could not be opened.
struct DraftBanners {
    let site: AdminSite
    let shelf: DraftShelf
    let csrf: String
    let location: String

    /// Of one model, or of all.
    func banners(of model: AdminModel? = nil, besides open: UUID? = nil, at now: Date = Date()) -> [DraftBanner] {
        shelf.drafts.compactMap { kept in
            let draft = kept.draft
            guard draft.id != open, model == nil || model?.schema.name == draft.model,
                  let owner = site.container.model(named: draft.model)
            else { return nil }
            return banner(draft, of: owner, at: now)
        }
    }

    var notices: [Notice] {
        guard !shelf.unreadable.isEmpty else { return [] }
        return [Notice(.information, localized("A draft in this browser could not be opened: it is too old, damaged or somebody else's. It was dropped; nothing that is stored was touched."))]
    }

    private func banner(_ draft: Draft, of model: AdminModel, at now: Date) -> DraftBanner {
        let schema = model.schema
        let typed = schema.titleProperty.flatMap { draft.fields.value($0.name) } ?? ""
        let summary = typed.count > 60 ? typed.prefix(60) + "…" : typed[...]
        let path = draft.isNew ? model.paths.new : model.paths.record(draft.record)
        return DraftBanner(
            title: draft.isNew ? localized("Add \(schema.titleName)") : localized("Edit \(schema.titleName)"),
            summary: summary.allSatisfy(\.isWhitespace) ? nil : Words.quoted(summary),
            age: DateWords.age(of: draft.savedAt, at: now),
            continueHref: path.withQuery("draft=" + draft.id.canonicalText),
            discardAction: model.paths.discardDraft,
            csrf: csrf,
            hidden: [("draft", draft.id.canonicalText), ("id", draft.record.canonicalText)]
                + (location.isEmpty ? [] : [("return", location)])
        )
    }
}
