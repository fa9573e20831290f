import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

extension EditorCoordinator {
    /// Cancel and Discard: the draft is gone for good, wherever copies of it lie. The next page can bring its text back as another.
    func discard(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        guard let id = context.form.value("draft").flatMap({ UUID(canonicalText: $0) }) else {
            throw RequestRefusal.malformedForm
        }
        let principal = try writer(of: model, context)
        let shelf = site.drafts.open(request, user: principal.draftOwner)
        var isNoted = true
        do {
            try await EditorViewModel.cancel(draft: id, ledger: site.container.ledger)
        } catch {
            // The browser forgets the draft in any case; only a stale copy of it would not be recognised.
            context.logger.warning("a discarded draft could not be noted", error: error)
            isNoted = false
        }
        let isInSheet = DraftPlace(context.form) == nil
        if isNoted, !isInSheet {
            // The page that is shown next has the browser forget it, and can bring it back until then.
            return .seeOther(
                address(context, of: model, fields: [FormField(name: DraftBanners.discarded, value: id.canonicalText)]))
        }
        // What waited for this one goes on.
        let parent = context.form.value(FormNames.parent).flatMap { DraftField($0) } ?? shelf.draft(id)?.draft.parent
        let waiting = isInSheet ? waiting(parent, on: shelf) : nil
        var response = Response.seeOther(
            waiting.map { self.address(of: $0.kept.draft, in: $0.model) } ?? address(context, of: model)
        )
        if let kept = shelf.draft(id) {
            response.setCookie(site.drafts.expire(kept.cookie))
            if isNoted, waiting == nil, let cookie = CancelledDraft.keep(kept.draft, in: site) {
                response.setCookie(cookie)
            }
        }
        return response.told(to: request)
    }

    /// Undo of Cancel and Discard: the text goes on as another draft. What was discarded stays so, and no late copy of it comes back.
    func reopen(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try writer(of: model, context)
        let shelf = await site.shelf(site.drafts.open(request, user: principal.draftOwner))
        guard let name = context.form.value("cookie"), let value = context.form.value("sealed"),
            let draft = site.drafts.open(value, cookie: name, user: principal.draftOwner)?.draft,
            draft.model == model.schema.name
        else { throw RequestRefusal.malformedForm }
        let back = address(context, of: model)
        do {
            try await checkOpen(draft.id)
            if let other = shelf.draft(ofSameSubjectAs: draft), other.draft.id != draft.id {
                throw DraftRefusal.elsewhere
            }
            var response = Response.seeOther(back)
            response.setCookie(try site.drafts.keep(draft, beside: shelf))
            return response
        } catch let refusal as DraftRefusal {
            throw RequestRefusal(
                status: refusal.status, title: localized("This draft is not back"), text: refusal.obstacle,
                backTitle: localized("Go back"),
                backPath: back
            )
        }
    }

    private func writer(of model: AdminModel, _ context: AdminRequestContext) throws -> Principal {
        let principal = try context.principal
        guard principal.may(.add, model.schema.name) || principal.may(.edit, model.schema.name) else {
            throw principal.may(.view, model.schema.name) ? AccessRefusal.forbidden : .hidden
        }
        return principal
    }

    /// The page that the form stood on, and of a sheet its list.
    private func address(_ context: AdminRequestContext, of model: AdminModel, fields: [FormField] = []) -> String {
        let news = FormEncoding.encode(fields)
        if DraftPlace(context.form) == .overview { return ModelPaths.admin.withQuery(news) }
        let place = lists.returnQuery(context.form, of: model).text(for: model.configuration)
        return model.paths.list.withQuery([place, news].filter { !$0.isEmpty }.joined(separator: "&"))
    }
}

extension DraftRefusal {
    /// Why what was discarded does not come back.
    fileprivate var obstacle: String {
        switch self {
        case .tooLarge, .full:
            localized("The other drafts take up the room. Save or discard one of them before you bring another back.")
        case .alreadySaved: localized("It was brought back before, and saved.")
        case .alreadyDiscarded: localized("It was brought back before, and discarded again.")
        case .elsewhere:
            localized("Another draft of the same record was begun meanwhile, and this one would take its place.")
        }
    }
}
