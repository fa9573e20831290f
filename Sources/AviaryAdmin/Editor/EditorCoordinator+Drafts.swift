import AccountsFeature
import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

extension EditorCoordinator {
    /// Keeps the form as a draft.
    ///
    /// The script that saves during typing receives 204. A person returns to the list, or to the page that they
    /// asked for.
    func keep(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        if case .ended(let principal) = context.session.state {
            return try await saveForSignIn(model, principal: principal, request: request, context: context)
        }
        let form = try submission(context, of: model)
        var destination: LocalPath?
        if case .leave(let path) = form.step {
            destination = path
        } else if let step = form.step, !request.isFetch {
            return try await take(step, form, of: model, request: request, context: context)
        }
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        let query = lists.returnQuery(context.form, of: model)
        var editor = try await editor(form, of: model, context: context)
        let kept =
            browserDrafts.draft(form.draft)
            ?? (editor.isNew ? nil : browserDrafts.draft(editing: form.record, of: model.schema))
        let isBehind = kept.map { form.isOlder(than: $0.draft) } ?? false
        if let destination, kept == nil || isBehind, await isUntouched(editor, of: model) {
            return Response.seeOther(destination.text).redirectOrJSON(to: request)
        }
        let draft = editor.makeDraft(
            sequence: max(kept?.draft.sequence ?? 0, form.sequence ?? 0) + 1, restoreEpoch: try await restoreEpoch(),
            schemaFingerprint: site.schema.fingerprint, at: site.now()
        )
        do {
            try await checkOpen(draft.id)
            if isBehind { throw DraftError.elsewhere }
            let cookie = try site.drafts.keep(draft, beside: browserDrafts)
            var response =
                request.isFetch
                ? Response.noContent
                : Response.seeOther(
                    destination?.text ?? model.paths.list.withQuery(query.text(for: model.configuration)))
            response.setCookie(cookie)
            return response.redirectOrJSON(to: request)
        } catch let refusal as DraftError {
            var response: Response
            if refusal == .elsewhere, let kept {
                return try await addOtherPageMessage(
                    &editor, kept, refusal, of: model, query: query, browserDrafts: browserDrafts, request: request,
                    context: context)
            }
            if request.isFetch {
                response = .json(refusal.answer, status: refusal.status)
            } else {
                editor.addMessage(EditorMessage(.warning, refusal.text))
                response = try await sheet(
                    editor, of: model, query: query, browserDrafts: browserDrafts, context: context,
                    status: refusal.status)
            }
            // An older copy in the cookie would later appear as the newest text.
            if let kept { response.setCookie(site.drafts.expire(kept.cookie)) }
            for cookie in site.drafts.expire(browserDrafts.settled) { response.setCookie(cookie) }
            return response
        }
    }

    /// Keeps the form of a person whose session expired while the sheet was open.
    ///
    /// The person finds the draft after signing in again.
    func saveForSignIn(
        _ model: AdminModel, principal: Principal, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        let form = try submission(context, of: model)
        var editor = try await editor(form, of: model, principal: principal, context: context)
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: principal.draftOwner))
        let draft = editor.makeDraft(
            sequence: (browserDrafts.draft(form.draft)?.draft.sequence ?? 0) + 1,
            // A store that cannot be read must not lose the text. The draft is then shown for review, which does
            // no harm.
            restoreEpoch: (try? await restoreEpoch()) ?? "",
            schemaFingerprint: site.schema.fingerprint, at: site.now()
        )
        let address = LocalPath(editor.address + (editor.isNew ? "?draft=" + draft.id.canonicalText : ""))
        do {
            try await checkOpen(draft.id)
            let cookie = try site.drafts.keep(draft, beside: browserDrafts)
            var response = request.isFetch ? Response.noContent : .seeOther(AccountPaths.signIn(returningTo: address))
            response.setCookie(cookie)
            return response.redirectOrJSON(to: request)
        } catch let refusal as DraftError {
            guard !request.isFetch else { return .json(refusal.answer, status: refusal.status) }
            // The text cannot be kept anywhere but on this page.
            editor.addMessage(
                EditorMessage(
                    .warning,
                    refusal.text + " "
                        + localized("You’re signed out. Sign in again in another window, then save here."),
                    link: EditorMessage.Link(title: localized("Sign in"), path: AccountPaths.signIn, keepsForm: false)
                ))
            // The page shows only the submitted form, because a person whose session has expired must see no
            // stored data.
            var shown = try EditorViewModel(
                submitted: form, of: model.schema, sheet: model.configuration.sheet, stored: nil,
                repository: model.repository, principal: principal
            )
            if let message = editor.message { shown.addMessage(message) }
            return sheetAlone(shown, context: context, status: refusal.status)
        }
    }

    /// Checks that the draft is open. A late copy must not bring a settled draft back.
    ///
    /// - Throws: ``DraftError`` when the draft was saved or discarded.
    func checkOpen(_ draft: UUID) async throws {
        let outcome: DraftOutcome?
        do {
            outcome = try await site.container.ledger.outcome(ofDraft: draft)
        } catch {
            return  // unreadable for a moment: keeping the text is safe, saving it is checked again
        }
        switch outcome {
        case .saved: throw DraftError.alreadySaved
        case .discarded: throw DraftError.alreadyDiscarded
        case nil: return
        }
    }
}

extension EditorCoordinator {
    /// Returns whether nothing was typed. Changes that only others have made meanwhile do not count.
    private func isUntouched(_ editor: EditorViewModel, of model: AdminModel) async -> Bool {
        var compared = editor
        if let stored = editor.stored { await compare(&compared, with: stored, of: model) }
        return compared.isUntouched
    }

    /// Shows that two pages have the same draft. The newer text stays in the cookie, and this page keeps its own.
    private func addOtherPageMessage(
        _ editor: inout EditorViewModel, _ kept: StoredDraft, _ refusal: DraftError, of model: AdminModel,
        query: ListQuery,
        browserDrafts: BrowserDrafts, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        guard !request.isFetch else { return .json(refusal.answer, status: refusal.status) }
        // A person who presses "Save draft" on this page again has read the message.
        editor.beginPage(sequence: kept.draft.sequence)
        editor.addMessage(
            EditorMessage(.warning, refusal.text + " " + localized("Select “Save draft” to keep this text.")))
        return try await sheet(
            editor, of: model, query: query, browserDrafts: browserDrafts, context: context, status: refusal.status)
    }
}

extension FormSubmission {
    /// Returns whether another page has kept a newer copy of the draft since this form's page was made.
    fileprivate func isOlder(than kept: Draft) -> Bool {
        guard let tab, let sequence else { return false }
        return kept.tab != tab && kept.sequence > sequence
    }
}

extension DraftError {
    var status: HTTPResponse.Status {
        switch self {
        case .tooLarge: .contentTooLarge
        case .full, .alreadySaved, .alreadyDiscarded, .elsewhere: .conflict
        }
    }
}

extension EditorCoordinator {
    /// Discards the draft, for Cancel and Discard.
    ///
    /// All copies of the draft become void. The next page can bring the text back as another draft.
    func discard(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        guard let id = context.form.value("draft").flatMap({ UUID(canonicalText: $0) }) else {
            throw PageError.malformedForm
        }
        let principal = try writer(of: model, context)
        let browserDrafts = site.drafts.open(request, user: principal.draftOwner)
        var isNoted = true
        do {
            try await EditorViewModel.cancel(draft: id, ledger: site.container.ledger)
        } catch {
            // The browser deletes the draft in any case. Only a stale copy of it would not be recognized.
            context.logger.warning("a discarded draft could not be noted", error: error)
            isNoted = false
        }
        let isInSheet = DraftOrigin(context.form) == nil
        if isNoted, !isInSheet {
            // The next page makes the browser delete the draft, and can bring it back until then.
            return .seeOther(
                address(context, of: model, fields: [FormField(name: DraftBanners.discarded, value: id.canonicalText)]))
        }
        // The form that waited for this one continues.
        let parent =
            context.form.value(FormNames.parent).flatMap { DraftField($0) } ?? browserDrafts.draft(id)?.draft.parent
        let waiting = isInSheet ? waiting(parent, on: browserDrafts) : nil
        var response = Response.seeOther(
            waiting.map { self.address(of: $0.kept.draft, in: $0.model) } ?? address(context, of: model)
        )
        if let kept = browserDrafts.draft(id) {
            response.setCookie(site.drafts.expire(kept.cookie))
            if isNoted, waiting == nil, let cookie = CancelledDraftCookie.keep(kept.draft, in: site) {
                response.setCookie(cookie)
            }
        }
        return response.redirectOrJSON(to: request)
    }

    /// Brings back the text of a discarded draft as another draft, for the undo of Cancel and Discard.
    ///
    /// The discarded draft remains discarded, and no late copy of it comes back.
    func reopen(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let principal = try writer(of: model, context)
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: principal.draftOwner))
        guard let name = context.form.value("cookie"), let value = context.form.value("sealed"),
            let draft = site.drafts.open(value, cookie: name, user: principal.draftOwner)?.draft,
            draft.model == model.schema.name
        else { throw PageError.malformedForm }
        let back = address(context, of: model)
        do {
            try await checkOpen(draft.id)
            if let other = browserDrafts.draft(ofSameSubjectAs: draft), other.draft.id != draft.id {
                throw DraftError.elsewhere
            }
            var response = Response.seeOther(back)
            response.setCookie(try site.drafts.keep(draft, beside: browserDrafts))
            return response
        } catch let refusal as DraftError {
            throw PageError(
                status: refusal.status, title: localized("Draft could not be restored"), text: refusal.obstacle,
                backTitle: localized("Go back"),
                backPath: back
            )
        }
    }

    private func writer(of model: AdminModel, _ context: AdminRequestContext) throws -> Principal {
        let principal = try context.principal
        guard principal.may(.add, model.schema.name) || principal.may(.edit, model.schema.name) else {
            throw principal.may(.view, model.schema.name) ? AccessError.forbidden : .hidden
        }
        return principal
    }

    /// Returns the address of the page that the form was on; for a sheet, the address of its list.
    private func address(_ context: AdminRequestContext, of model: AdminModel, fields: [FormField] = []) -> String {
        let news = FormEncoding.encode(fields)
        if DraftOrigin(context.form) == .overview { return ModelPaths.admin.withQuery(news) }
        let place = lists.returnQuery(context.form, of: model).text(for: model.configuration)
        return model.paths.list.withQuery([place, news].filter { !$0.isEmpty }.joined(separator: "&"))
    }
}

extension DraftError {
    /// The reason why a discarded draft cannot be brought back.
    fileprivate var obstacle: String {
        switch self {
        case .tooLarge, .full:
            localized("There is no room for this draft. Save or discard another draft first.")
        case .alreadySaved: localized("This draft was already restored and saved.")
        case .alreadyDiscarded: localized("This draft was already restored and discarded again.")
        case .elsewhere:
            localized("A newer draft of the same record exists. Restoring this draft would replace it.")
        }
    }
}
