import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

/// The coordinator of the sheet that adds or edits a record. Save and Cancel lead back to the list.
struct EditorCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let lists: ListCoordinator

    /// Shows the sheet for a new record.
    ///
    /// It opens the draft that the address names, else the newest draft of a new record, unless the address asks
    /// for a fresh start.
    func add(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try lists.query(context.query, of: model)
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        let sheet = model.configuration.sheet
        let named = draft(named: context, on: browserDrafts, of: model).flatMap { $0.draft.isNew ? $0 : nil }
        let asked = named == nil ? askedDraft(context) : nil
        if let asked, let next = await address(after: asked, of: model, on: browserDrafts, context: context) {
            return .seeOther(next)
        }
        var editor = try EditorViewModel(
            adding: model.schema, as: asked ?? .version7(), sheet: sheet, repository: model.repository,
            principal: try context.principal
        )
        if let waiting = waiting(context.query.value("for").flatMap { DraftField($0) }, on: browserDrafts) {
            editor.parent = DraftField(draft: waiting.kept.draft.id, property: waiting.property.name)
        }
        var continued: Draft?
        if let kept = named ?? newest(context, on: browserDrafts, of: model) {
            editor = try EditorViewModel(
                continuing: kept.draft, of: model.schema, sheet: sheet, stored: nil,
                repository: model.repository, principal: try context.principal
            )
            continued = kept.draft
            if named == nil { editor.offerFreshStart() }
            editor.review(restoreEpoch: try await restoreEpoch(), of: kept.draft)
        }
        try await readRelated(&editor, of: model, draft: continued)
        if continued == nil { try await fillInCopy(&editor, of: model, context: context) }
        try await addSavedMessage(&editor, of: model, context: context)
        try await addChosenMessage(&editor, of: model, context: context)
        addWaitingMessage(&editor, on: browserDrafts)
        return try await self.sheet(editor, of: model, query: query, browserDrafts: browserDrafts, context: context)
    }

    /// Shows the sheet for an existing record with its draft, else with its stored values.
    func edit(_ model: AdminModel, id: UUID, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try lists.query(context.query, of: model)
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        let stored = try await find(id, of: model)
        var editor: EditorViewModel
        let mayEdit = try context.principal.may(.edit, model.schema.name)
        let kept = mayEdit ? browserDrafts.draft(editing: id, of: model.schema) : nil
        if let kept {
            editor = try EditorViewModel(
                continuing: kept.draft, of: model.schema, sheet: model.configuration.sheet, stored: stored,
                repository: model.repository, principal: try context.principal
            )
            editor.review(restoreEpoch: try await restoreEpoch(), of: kept.draft)
            if stored == nil {
                let name = model.schema.singularName
                editor.addMessage(
                    EditorMessage(
                        .warning,
                        editor.mayAdd(model.schema.name)
                            ? localized(
                                "This \(name) was deleted in the meantime. Your draft is still here. Save offers to add it as a new record."
                            )
                            : localized(
                                "This \(name) was deleted in the meantime, and you can’t add a new one. Your changes are still here: copy them, then select Cancel to discard them."
                            )))
            }
        } else if let stored {
            editor = try EditorViewModel(
                editing: stored, of: model.schema, sheet: model.configuration.sheet, repository: model.repository,
                principal: try context.principal
            )
        } else {
            throw PageError.noSuchRecord(
                model.schema.singularName, backTitle: localized("Show all \(model.schema.pluralName)"),
                backPath: model.paths.list
            )
        }
        try await readRelated(&editor, of: model, draft: kept?.draft)
        if let stored { await compare(&editor, with: stored, of: model) }
        if let stored, mayEdit {
            try await fillInPreviousVersion(&editor, of: stored, model: model, hasDraft: kept != nil, context: context)
        }
        try await addChosenMessage(&editor, of: model, context: context)
        return try await sheet(editor, of: model, query: query, browserDrafts: browserDrafts, context: context)
    }

    /// Saves the record. After success it leads back to the list; else the sheet stays open with everything typed.
    ///
    /// - Parameter id: The record that the address names; nil for a new one.
    func save(
        _ model: AdminModel, id: UUID?, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        if case .ended(let principal) = context.session.state {
            return try await saveForSignIn(model, principal: principal, request: request, context: context)
        }
        let query = lists.returnQuery(context.form, of: model)
        let browserDrafts = site.drafts.open(request, user: try context.principal.draftOwner)
        let form = try submission(context, of: model)
        guard (form.version == nil) == (id == nil), id == nil || id == form.record else {
            throw PageError.malformedForm
        }
        if let step = form.step { return try await take(step, form, of: model, request: request, context: context) }
        var editor = try await editor(form, of: model, context: context)
        let outcome = await editor.save(history: site.container.history, at: site.now())
        let kept = browserDrafts.draft(form.draft)
        switch outcome {
        case .saved(let receipt):
            let list = FlashMessage.address(
                model.paths.list.withQuery(query.text(for: model.configuration)), saved: editor.record, receipt.commit
            )
            var response =
                returnToWaiting(editor, of: model, browserDrafts: browserDrafts)
                ?? .seeOther(
                    context.form.value(FormNames.next) == "add"
                        ? anotherAddress(after: editor, of: model, query: query) : list)
            if let kept { response.setCookie(site.drafts.expire(kept.cookie)) }
            return response.redirectOrJSON(to: request)
        case .unavailable where request.wantsJSON, .outOfSpace where request.wantsJSON:
            // The page is still open, with everything typed.
            var response = Response.json(["error": editor.message?.text ?? ""], status: outcome.refusalStatus)
            response.headers[.retryAfter] = "2"
            return response
        case .invalid, .conflict, .unavailable, .outOfSpace:
            var response = try await stay(
                &editor, kept: kept, of: model, query: query, browserDrafts: await site.browserDrafts(browserDrafts),
                context: context,
                status: outcome.refusalStatus
            )
            if outcome == .unavailable { response.headers[.retryAfter] = "2" }
            return response
        }
    }

    /// Shows the sheet again, and keeps its text as a draft so that leaving the page does not lose it.
    ///
    /// A new form that was sent unchanged, and one that equals the stored record, has nothing to lose. A draft
    /// that was kept for it before is deleted.
    func stay(
        _ editor: inout EditorViewModel, kept: StoredDraft?, of model: AdminModel, query: ListQuery,
        browserDrafts: BrowserDrafts,
        context: AdminRequestContext, status: HTTPResponse.Status
    ) async throws -> Response {
        editor.beginPage(sequence: max(kept?.draft.sequence ?? 0, editor.sequence) + 1)
        let draft = editor.makeDraft(
            // A store that cannot be read must not lose the text. The draft is then shown for review, which does
            // no harm.
            sequence: editor.sequence, restoreEpoch: (try? await restoreEpoch()) ?? "",
            schemaFingerprint: site.schema.fingerprint, at: site.now()
        )
        // The text may continue under a new draft. The old one would then appear as unsaved work.
        var browserDrafts = browserDrafts
        browserDrafts.drafts.removeAll { $0.cookie == kept?.cookie }
        var cookie: Cookie?
        do {
            if status != .unprocessableContent || !editor.isUntouched {
                cookie = try site.drafts.keep(draft, beside: browserDrafts)
                editor.markKept()
            }
        } catch let refusal as DraftError {
            editor.addDraftNotSavedMessage(refusal.text)
        }
        var response = try await sheet(
            editor, of: model, query: query, browserDrafts: browserDrafts, context: context, status: status)
        if let kept, kept.cookie != cookie?.name { response.setCookie(site.drafts.expire(kept.cookie)) }
        if let cookie { response.setCookie(cookie) }
        return response
    }
}

extension SaveOutcome {
    fileprivate var refusalStatus: HTTPResponse.Status {
        switch self {
        case .saved: .seeOther
        case .invalid: .unprocessableContent
        case .conflict: .conflict
        case .unavailable: .serviceUnavailable
        case .outOfSpace: HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
        }
    }
}

extension EditorCoordinator {
    /// Shows the list with the sheet open over it.
    func sheet(
        _ editor: EditorViewModel, of model: AdminModel, query: ListQuery, browserDrafts: BrowserDrafts,
        context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let references = try await references(for: editor, of: model)
        let view = EditorView(
            model: editor, choices: references.choices, linkChoices: try await linkChoices(for: editor),
            searches: references.searches, creations: creations(for: editor, of: model),
            computed: computedTexts(for: editor), csrf: site.tokens.token(for: context.session),
            location: query.text(for: model.configuration),
            links: try links(of: editor, of: model, location: query.text(for: model.configuration), context: context)
        )
        return try await lists.page(
            model, query: query, browserDrafts: browserDrafts, context: context, status: status,
            title: editor.title, open: editor.draft
        ) { $0.render(view) }
    }

    /// Shows the sheet alone, for a person who is no longer signed in and sees only their own text.
    func sheetAlone(
        _ editor: EditorViewModel, context: AdminRequestContext, status: HTTPResponse.Status
    ) -> Response {
        let view = EditorView(model: editor, choices: [:], csrf: site.tokens.token(for: context.session), location: "")
        return pages.alone(title: editor.title, status: status) { $0.render(view) }
    }

    func submission(_ context: AdminRequestContext, of model: AdminModel) throws -> FormSubmission {
        do {
            return try FormSubmission(context.form, of: model.schema)
        } catch {
            throw PageError.malformedForm
        }
    }

    func editor(
        _ form: FormSubmission, of model: AdminModel, principal: Principal? = nil, context: AdminRequestContext
    ) async throws -> EditorViewModel {
        let stored = form.version == nil ? nil : try await find(form.record, of: model)
        var editor = try EditorViewModel(
            submitted: form, of: model.schema, sheet: model.configuration.sheet, stored: stored,
            repository: model.repository, principal: try principal ?? context.principal
        )
        try await readRelated(&editor, of: model, form: context.form)
        return editor
    }

    func find(_ id: UUID, of model: AdminModel) async throws -> Record? {
        try await mappingReadErrors { try await model.repository.find(id) }
    }

    func restoreEpoch() async throws -> String {
        try await mappingReadErrors { try await site.container.ledger.restoreEpoch() }
    }

    /// Returns the draft that the address names.
    func draft(named context: AdminRequestContext, on browserDrafts: BrowserDrafts, of model: AdminModel)
        -> StoredDraft?
    {
        guard let id = askedDraft(context),
            let kept = browserDrafts.draft(id), kept.draft.model == model.schema.name
        else { return nil }
        return kept
    }

    /// Returns the newest draft of a new record, unless the address says `fresh=1` or names another draft.
    func newest(_ context: AdminRequestContext, on browserDrafts: BrowserDrafts, of model: AdminModel) -> StoredDraft? {
        context.query.value("fresh") == "1" || askedDraft(context) != nil
            ? nil : browserDrafts.newest(adding: model.schema)
    }

    func askedDraft(_ context: AdminRequestContext) -> UUID? {
        context.query.value("draft").flatMap { UUID(canonicalText: $0) }
    }

    /// Returns the texts of the values that are computed from the stored record.
    private func computedTexts(for editor: EditorViewModel) -> [String: String] {
        guard !editor.isNew, let stored = editor.stored else { return [:] }
        return Dictionary(
            editor.sheet.computed.map { ($0.name, $0.column.text(of: stored)) }, uniquingKeysWith: { first, _ in first }
        )
    }
}
