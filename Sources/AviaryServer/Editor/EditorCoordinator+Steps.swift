import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

// What buttons of a sheet do that neither save nor close it: the form stays as it is typed, and is kept as a draft.
extension EditorCoordinator {
    func take(
        _ step: SheetStep, _ form: FormSubmission, of model: AdminModel, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        let query = lists.returnQuery(context.form, of: model)
        let shelf = await site.shelf(site.drafts.open(request, user: try context.principal.draftOwner))
        var editor = try await editor(form, of: model, context: context)
        // A form that was left beside another version shows both again.
        await compareAgain(&editor, of: model)
        switch step {
        case .find(let property):
            try await find(property, for: &editor, of: model, form: context.form)
        case .addRow(let property):
            editor.addRow(property)
        case .create(let property):
            if let response = try await create(property, for: editor, of: model, shelf: shelf, context: context) {
                return response.told(to: request)
            }
            editor.say(
                EditorMessage(
                    .warning,
                    localized(
                        "There is no room to keep this form while you add something else. Save or discard another draft first, or save this one."
                    )))
        case .leave:
            return try await keep(model, request: request, context: context)
        }
        return try await stay(
            &editor, kept: shelf.draft(form.draft), of: model, query: query, shelf: shelf, context: context, status: .ok
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

    /// Leads to the sheet of a new record that is to be chosen in this form; nil where there is no room for the form to wait.
    private func create(
        _ property: String, for editor: EditorViewModel, of model: AdminModel, shelf: DraftShelf,
        context: AdminRequestContext
    ) async throws -> Response? {
        guard editor.mayChoose(property), let definition = model.schema.property(property),
            let target = definition.type.model.flatMap(site.container.model(named:)),
            try context.principal.may(.add, target.schema.name)
        else { throw RequestRefusal.malformedForm }
        let kept = shelf.draft(editor.draft)
        let draft = editor.makeDraft(
            sequence: max(kept?.draft.sequence ?? 0, editor.sequence) + 1,
            restoreEpoch: (try? await restoreEpoch()) ?? "",  // reviewed then
            schemaFingerprint: site.schema.fingerprint, at: site.now()
        )
        do {
            try await checkOpen(draft.id)
            // With the choice in it, so that there is room for it afterwards.
            if let later = EditorViewModel.choosing(
                .version7(), of: target.schema.name, in: draft, definition, at: site.now())
            {
                _ = try site.drafts.keep(later, beside: shelf)
            }
            var response = Response.seeOther(
                target.paths.fresh([
                    FormField(name: "for", value: DraftField(draft: draft.id, property: property).text)
                ]))
            response.setCookie(try site.drafts.keep(draft, beside: shelf))
            return response
        } catch is DraftRefusal {
            return nil
        }
    }

    /// The draft that waits for the record of this form, where it still waits.
    func waiting(_ parent: DraftField?, on shelf: DraftShelf) -> (
        kept: KeptDraft, model: AdminModel, property: PropertySchema
    )? {
        guard let parent, let kept = shelf.draft(parent.draft),
            let model = site.container.model(named: kept.draft.model),
            let property = model.schema.property(parent.property)
        else { return nil }
        return (kept, model, property)
    }

    /// Where a draft is opened again.
    func address(of draft: Draft, in model: AdminModel) -> String {
        (draft.isNew ? model.paths.new : model.paths.record(draft.record)).withQuery("draft=" + draft.id.canonicalText)
    }

    /// After Save: back to the form that waited, with the record chosen in it.
    func returnToWaiting(_ editor: EditorViewModel, of model: AdminModel, shelf: DraftShelf) -> Response? {
        guard let waiting = waiting(editor.parent, on: shelf) else { return nil }
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
            // The draft of what was saved goes with this answer: its room is free.
            var others = shelf
            others.drafts.removeAll { $0.draft.id == editor.draft }
            // Room was made sure of before; where it is gone, the record is there to be chosen by hand.
            if let cookie = try? site.drafts.keep(chosen, beside: others) { response.setCookie(cookie) }
        }
        return response
    }
}
