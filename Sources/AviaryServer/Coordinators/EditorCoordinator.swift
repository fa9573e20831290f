import AviaryDesign
import AviaryDomain
import BrowseFeature
import EditorFeature
import Foundation
import HTTPTypes
import Hummingbird

/// Leads to the sheet that adds or edits a record, and from there on: Save and Cancel lead back to the list.
struct EditorCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let lists: ListCoordinator

    /// More than a select can show; a picker that searches takes over there.
    static let mostChoices = 500

    /// The sheet for a new record: the newest draft of one, unless the address asks for a fresh start.
    func add(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try lists.query(context.query, of: model)
        let shelf = await site.shelf(site.drafts.open(request, user: Session.user))
        var editor = EditorViewModel(adding: model.schema, repository: model.repository, author: Session.user)
        let named = draft(named: context, on: shelf, of: model)
        if let kept = named ?? newest(context, on: shelf, of: model), kept.draft.isNew {
            editor = EditorViewModel(
                continuing: kept.draft, of: model.schema, recordTitle: nil,
                repository: model.repository, author: Session.user
            )
            if named == nil { editor.offerFreshStart() }
            editor.review(restoreEpoch: try await restoreEpoch(), of: kept.draft)
        }
        return try await sheet(editor, of: model, query: query, shelf: shelf, context: context)
    }

    /// The sheet for an existing record: its draft, else its stored values.
    func edit(_ model: AdminModel, id: UUID, request: Request, context: AdminRequestContext) async throws -> Response {
        let query = try lists.query(context.query, of: model)
        let shelf = await site.shelf(site.drafts.open(request, user: Session.user))
        let stored = try await find(id, of: model)
        var editor: EditorViewModel
        if let kept = shelf.draft(editing: id, of: model.schema) {
            editor = EditorViewModel(
                continuing: kept.draft, of: model.schema, recordTitle: stored?.title(in: model.schema),
                repository: model.repository, author: Session.user
            )
            editor.review(restoreEpoch: try await restoreEpoch(), of: kept.draft)
            if stored == nil {
                editor.say(EditorMessage(.warning, "This \(model.schema.singularName) was deleted in the meantime. Your draft is still here: Save offers to store it as a new one."))
            }
        } else if let stored {
            editor = EditorViewModel(
                editing: stored, of: model.schema, repository: model.repository, author: Session.user
            )
        } else {
            throw RequestRefusal.noSuchRecord(
                model.schema.singularName, backTitle: "Show all \(model.schema.pluralName)", backPath: model.paths.list
            )
        }
        return try await sheet(editor, of: model, query: query, shelf: shelf, context: context)
    }

    /// Save. On success back to the list; else the sheet stays, with everything typed.
    ///
    /// - Parameter id: the record that the address names; nil for a new one.
    func save(
        _ model: AdminModel, id: UUID?, request: Request, context: AdminRequestContext
    ) async throws -> Response {
        let query = lists.returnQuery(context.form, of: model)
        let shelf = site.drafts.open(request, user: Session.user)
        let form = try submission(context, of: model)
        guard (form.version == nil) == (id == nil), id == nil || id == form.record else {
            throw RequestRefusal.malformedForm
        }
        var editor = try await editor(form, of: model)
        let outcome = await editor.save()
        let cookie = shelf.draft(form.draft)?.cookie
        switch outcome {
        case .saved:
            var response = Response.seeOther(model.paths.list.withQuery(query.text(for: model.configuration)))
            if let cookie { response.setCookie(site.drafts.expire(cookie)) }
            return response
        case .invalid:
            return try await sheet(editor, of: model, query: query, shelf: await site.shelf(shelf), context: context, status: .unprocessableContent)
        case .conflict:
            var response = try await sheet(editor, of: model, query: query, shelf: await site.shelf(shelf), context: context, status: .conflict)
            // The text goes on under a new draft: the old one would come back as unsaved work.
            if editor.draft != form.draft, let cookie { response.setCookie(site.drafts.expire(cookie)) }
            return response
        case .unavailable:
            var response = try await sheet(editor, of: model, query: query, shelf: await site.shelf(shelf), context: context, status: .serviceUnavailable)
            response.headers[.retryAfter] = "2"
            return response
        }
    }
}
