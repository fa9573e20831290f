import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

extension EditorCoordinator {
    /// Keeps the form as it stands: 204 for the script that saves while one types, back to the list for a person.
    func keep(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let shelf = await site.shelf(site.drafts.open(request, user: Session.user))
        let query = lists.returnQuery(context.form, of: model)
        let form = try submission(context, of: model)
        let kept = shelf.draft(form.draft)
        var editor = try await editor(form, of: model, context: context)
        let draft = editor.makeDraft(
            sequence: (kept?.draft.sequence ?? 0) + 1, restoreEpoch: try await restoreEpoch(),
            schemaFingerprint: site.schema.fingerprint, at: Date()
        )
        do {
            try await checkOpen(draft.id)
            let cookie = try site.drafts.keep(draft, beside: shelf)
            var response = request.isFetch
                ? Response.noContent
                : Response.seeOther(model.paths.list.withQuery(query.text(for: model.configuration)))
            response.setCookie(cookie)
            return response
        } catch let refusal as DraftRefusal {
            var response: Response
            if request.isFetch {
                response = .json(["error": refusal.text], status: refusal.status)
            } else {
                editor.say(EditorMessage(.warning, refusal.text))
                response = try await sheet(editor, of: model, query: query, shelf: shelf, context: context, status: refusal.status)
            }
            // An older copy would come back as if it were the newest text.
            if let kept { response.setCookie(site.drafts.expire(kept.cookie)) }
            for name in shelf.settled { response.setCookie(site.drafts.expire(name)) }
            return response
        }
    }

    /// Cancel and Discard: the draft is gone for good, wherever copies of it lie.
    func discard(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        guard let id = context.form.value("draft").flatMap({ UUID(canonicalText: $0) }) else {
            throw RequestRefusal.malformedForm
        }
        let shelf = site.drafts.open(request, user: Session.user)
        do {
            try await EditorViewModel.cancel(draft: id, ledger: site.container.ledger)
        } catch {
            // The browser forgets the draft in any case; only a stale copy of it would not be recognised.
            context.logger.warning("a discarded draft could not be noted", error: error)
        }
        let query = lists.returnQuery(context.form, of: model)
        var response = Response.seeOther(model.paths.list.withQuery(query.text(for: model.configuration)))
        if let kept = shelf.draft(id) { response.setCookie(site.drafts.expire(kept.cookie)) }
        return response
    }

    /// - Throws: ``DraftRefusal`` when the draft was saved or discarded: a late copy must not bring it back.
    private func checkOpen(_ draft: UUID) async throws {
        let outcome: DraftOutcome?
        do {
            outcome = try await site.container.ledger.outcome(ofDraft: draft)
        } catch {
            return  // unreadable for a moment: keeping the text is safe, saving it is checked again
        }
        switch outcome {
        case .saved: throw DraftRefusal.alreadySaved
        case .discarded: throw DraftRefusal.alreadyDiscarded
        case nil: return
        }
    }
}

extension DraftRefusal {
    var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .full, .alreadySaved, .alreadyDiscarded: .conflict
        }
    }
}
