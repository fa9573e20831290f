import ActivityFeature
import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

// The buttons of a sheet that neither save nor close it. The form keeps its text and becomes a draft.
extension EditorCoordinator {
    func take(
        _ step: SheetStep, _ form: FormSubmission, of model: AdminModel, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        let query = lists.returnQuery(context.form, of: model)
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        var editor = try await editor(form, of: model, context: context)
        // A form that was compared with another version shows the comparison again.
        await repeatComparison(&editor, of: model)
        switch step {
        case .find(let property):
            try await find(property, for: &editor, of: model, form: context.form)
        case .addRow(let property):
            editor.addRow(property)
        case .create(let property):
            if let response = try await create(
                property, for: editor, of: model, browserDrafts: browserDrafts, context: context)
            {
                return response.redirectOrJSON(to: request)
            }
            editor.addMessage(
                EditorMessage(
                    .warning,
                    localized(
                        "There is no room to keep this form as a draft while you add another record. Save this form, or save or discard another draft first."
                    )))
        case .leave:
            return try await keep(model, request: request, context: context)
        }
        return try await stay(
            &editor, kept: browserDrafts.draft(form.draft), of: model, query: query, browserDrafts: browserDrafts,
            context: context, status: .ok
        )
    }

    private func find(
        _ property: String, for editor: inout EditorViewModel, of model: AdminModel, form: [FormField]
    ) async throws {
        guard let target = editor.reference(property)?.type.model.flatMap(site.container.model(named:)) else { return }
        let text = editor.searchText(property, form: form)
        let found = try await choices(of: target, matching: text)
        editor.show(found, for: property)
    }

    /// Leads to the sheet of a new record that will be chosen in this form. Returns nil when there is no room for
    /// the form as a draft.
    private func create(
        _ property: String, for editor: EditorViewModel, of model: AdminModel, browserDrafts: BrowserDrafts,
        context: AdminRequestContext
    ) async throws -> Response? {
        guard editor.mayChoose(property), let definition = model.schema.property(property),
            let target = definition.type.model.flatMap(site.container.model(named:)),
            try context.principal.may(.add, target.schema.name)
        else { throw PageError.malformedForm }
        let kept = browserDrafts.draft(editor.draft)
        let draft = editor.makeDraft(
            sequence: max(kept?.draft.sequence ?? 0, editor.sequence) + 1,
            restoreEpoch: (try? await restoreEpoch()) ?? "",  // reviewed then
            schemaFingerprint: site.schema.fingerprint, at: site.now()
        )
        do {
            try await checkOpen(draft.id)
            // The draft is kept with the later choice in it, to make sure that there is room for the choice.
            if let later = EditorViewModel.choosing(
                .version7(), of: target.schema.name, in: draft, definition, at: site.now())
            {
                _ = try site.drafts.keep(later, beside: browserDrafts)
            }
            var response = Response.seeOther(
                target.paths.fresh([
                    FormField(name: "for", value: DraftField(draft: draft.id, property: property).text)
                ]))
            response.setCookie(try site.drafts.keep(draft, beside: browserDrafts))
            return response
        } catch is DraftError {
            return nil
        }
    }

    /// Returns the draft that waits for the record of this form, or nil when it no longer waits.
    func waiting(_ parent: DraftField?, on browserDrafts: BrowserDrafts) -> (
        kept: StoredDraft, model: AdminModel, property: PropertySchema
    )? {
        guard let parent, let kept = browserDrafts.draft(parent.draft),
            let model = site.container.model(named: kept.draft.model),
            let property = model.schema.property(parent.property)
        else { return nil }
        return (kept, model, property)
    }

    /// Returns the address that opens the draft again.
    func address(of draft: Draft, in model: AdminModel) -> String {
        (draft.isNew ? model.paths.new : model.paths.record(draft.record)).withQuery("draft=" + draft.id.canonicalText)
    }

    /// Returns to the waiting form after a save, with the record chosen in it.
    func returnToWaiting(_ editor: EditorViewModel, of model: AdminModel, browserDrafts: BrowserDrafts) -> Response? {
        guard let waiting = waiting(editor.parent, on: browserDrafts) else { return nil }
        let news = [
            FormField(name: "chosen", value: editor.record.canonicalText),
            FormField(name: "field", value: waiting.property.name),
        ]
        var response = Response.seeOther(
            address(of: waiting.kept.draft, in: waiting.model) + "&" + FormEncoding.encode(news)
        )
        if let chosen = EditorViewModel.choosing(
            editor.record, of: model.schema.name, in: waiting.kept.draft, waiting.property, at: site.now()
        ) {
            // This response deletes the draft of the saved record, so its room is free.
            var others = browserDrafts
            others.drafts.removeAll { $0.draft.id == editor.draft }
            // The room was checked before. If it is gone now, the person can choose the record by hand.
            if let cookie = try? site.drafts.keep(chosen, beside: others) { response.setCookie(cookie) }
        }
        return response
    }
}

extension EditorCoordinator {
    /// Fills the sheet of a new record with the values of another one, when the address names it with `like=` and
    /// its id.
    ///
    /// Unique properties and secrets stay empty.
    func fillInCopy(_ editor: inout EditorViewModel, of model: AdminModel, context: AdminRequestContext) async throws {
        guard let id = context.query.value("like").flatMap({ UUID(canonicalText: $0) }) else { return }
        guard let record = try await find(id, of: model) else {
            return editor.addMessage(
                EditorMessage(.warning, localized("The record to duplicate no longer exists. This is an empty form.")))
        }
        let properties = model.schema.storedProperties.filter { !$0.isUnique }
        editor.fillIn(
            Dictionary(
                properties.map { ($0.name, record.value($0.name, in: model.schema)) },
                uniquingKeysWith: { first, _ in first }
            ))
        let title = TextFormatter.isolated(record.title(in: model.schema))
        editor.addMessage(
            EditorMessage(
                .information, localized("Duplicated the values of “\(title)”. Changes apply once you save.")))
    }

    /// Returns the links from a record's sheet to other pages.
    ///
    /// - Parameter location: The query string that leads back to the same part of the list.
    func links(
        of editor: EditorViewModel, of model: AdminModel, location: String, context: AdminRequestContext
    ) throws -> SheetLinks {
        guard !editor.isNew else { return SheetLinks() }
        let principal = try context.principal
        var links: [SheetLinks.Link] = []
        if principal.may(.activity) {
            links.append(.init(localized("History"), href: ActivityPaths.history(of: editor.record, in: model.schema)))
        }
        if principal.may(.add, model.schema.name) {
            let copied = FormField(name: "like", value: editor.record.canonicalText)
            links.append(.init(localized("Duplicate"), href: model.paths.fresh([copied])))
        }
        if editor.stored != nil, principal.may(.delete, model.schema.name) {
            var fields = [FormField(name: "id", value: editor.record.canonicalText), DeletionCoordinator.inSheet]
            if !location.isEmpty { fields.append(FormField(name: "return", value: location)) }
            links.append(
                .init(
                    localized("Delete…"), href: model.paths.delete.withQuery(FormEncoding.encode(fields)),
                    isDestructive: true
                ))
        }
        return SheetLinks(links)
    }
}

extension EditorCoordinator {
    /// Fills the sheet with the record's earlier values, when the address names a change with `earlier=` and its
    /// number.
    func fillInPreviousVersion(
        _ editor: inout EditorViewModel, of record: Record, model: AdminModel, hasDraft: Bool,
        context: AdminRequestContext
    ) async throws {
        guard let text = context.query.value("earlier") else { return }
        guard !hasDraft else {
            return editor.addMessage(
                EditorMessage(
                    .warning, localized("This is your draft, not the earlier version. Save or discard it first.")))
        }
        let scope = site.activityScope(of: try context.principal)
        let version: RecordVersion? = try await mappingReadErrors {
            guard let number = Int64(text) else { return nil }
            return try await RecordVersion(
                of: record, in: model.schema, after: number, scope: scope, history: site.container.history
            )
        }
        guard let version else {
            return editor.addMessage(
                EditorMessage(
                    .warning, localized("The history doesn’t go back to this version. These are the saved values.")
                ))
        }
        editor.fillIn(version.values)
        let time = DateTextFormatter.dateAndTime(version.time.rfc3339 ?? "")
        editor.addMessage(
            EditorMessage(
                .information,
                localized(
                    "These are the values from \(time), saved by \(TextFormatter.author(version.author)). Changes apply once you save."
                )))
    }
}
