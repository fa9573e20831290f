import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

extension EditorCoordinator {
    /// The list with the sheet open over it.
    func sheet(
        _ editor: EditorViewModel, of model: AdminModel, query: ListQuery, shelf: DraftShelf,
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
            model, query: query, shelf: shelf, context: context, status: status,
            title: editor.title, open: editor.draft
        ) { $0.render(view) }
    }

    /// The sheet and nothing else: for somebody who is not signed in any more and sees what they typed themselves.
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
            throw RequestRefusal.malformedForm
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
        try await reading { try await model.repository.find(id) }
    }

    func restoreEpoch() async throws -> String {
        try await reading { try await site.container.ledger.restoreEpoch() }
    }

    /// The draft that the address names.
    func draft(named context: AdminRequestContext, on shelf: DraftShelf, of model: AdminModel) -> KeptDraft? {
        guard let id = askedDraft(context),
            let kept = shelf.draft(id), kept.draft.model == model.schema.name
        else { return nil }
        return kept
    }

    /// A new record goes on where the last one was left, unless the address says `fresh=1` or names another draft.
    func newest(_ context: AdminRequestContext, on shelf: DraftShelf, of model: AdminModel) -> KeptDraft? {
        context.query.value("fresh") == "1" || askedDraft(context) != nil ? nil : shelf.newest(adding: model.schema)
    }

    func askedDraft(_ context: AdminRequestContext) -> UUID? {
        context.query.value("draft").flatMap { UUID(canonicalText: $0) }
    }

    /// What is worked out from the record as it is stored.
    private func computedTexts(for editor: EditorViewModel) -> [String: String] {
        guard !editor.isNew, let stored = editor.stored else { return [:] }
        return Dictionary(
            editor.sheet.computed.map { ($0.name, $0.column.text(of: stored)) }, uniquingKeysWith: { first, _ in first }
        )
    }
}
