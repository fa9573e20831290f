import ActivityFeature
import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird

/// Leads through a delete: at once when nothing goes along, else by a question.
struct DeletionCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let lists: ListCoordinator

    /// The confirmation page, for a browser without scripts.
    func ask(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let ids = try context.query.recordIDs()
        let query = lists.returnQuery(context.query, of: model)
        guard !ids.isEmpty else {
            return try await news(Notice(.information, localized("Nothing was ticked. Tick what you want to delete first.")), model, query: query, request: request, context: context)
        }
        let question = try await reading { try await viewModel(model, query: query, context: context).question(ids, schema: site.schema) }
        guard let question else {
            return try await news(Notice(.information, localized("What you wanted to delete is gone already.")), model, query: query, request: request, context: context)
        }
        return try await questionPage(question, ids: ids, changeSet: .version7(), of: model, query: query, context: context)
    }

    /// Deletes, or says why not: as a page, or as JSON for the script that took the row away already.
    func delete(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let ids = try context.form.recordIDs()
        guard !ids.isEmpty else { throw RequestRefusal.malformedForm }
        let query = lists.returnQuery(context.form, of: model)
        let changeSet = context.form.value("changeset").flatMap { UUID(canonicalText: $0) } ?? .version7()
        let limit = context.form.value("allow").flatMap { Int($0) } ?? 0
        let outcome = try await viewModel(model, query: query, context: context).delete(
            ids, changeSet: changeSet, cascadeLimit: max(0, limit), schema: site.schema
        )
        switch outcome {
        case .deleted(let ids, let message, let commit):
            return request.wantsJSON
                ? .json(DeletedAnswer(
                    deleted: ids.map(\.canonicalText), message: message, undo: ActivityPaths.undo(commit), changeset: UUID.version7().canonicalText
                ))
                : .seeOther(CommitNews.address(model.paths.list.withQuery(query.text(for: model.configuration)), .did, commit))
        case .question(let question):
            return request.wantsJSON
                ? .json(["question": question], status: .conflict)
                : try await questionPage(question, ids: ids, changeSet: changeSet, of: model, query: query, context: context)
        case .refused(let reason, let isTemporary):
            var response = request.wantsJSON
                ? Response.json(["error": reason], status: isTemporary ? .serviceUnavailable : .conflict)
                : try await news(Notice(.failure, reason), model, query: query, request: request, context: context, status: isTemporary ? .serviceUnavailable : .conflict)
            if isTemporary { response.headers[.retryAfter] = "2" }
            return response
        }
    }

    private func viewModel(
        _ model: AdminModel, query: ListQuery, context: AdminRequestContext
    ) throws -> ListViewModel {
        try ListViewModel(
            configuration: model.configuration, query: query, repository: model.repository, principal: try context.principal
        )
    }

    private func questionPage(
        _ question: DeleteQuestion, ids: [UUID], changeSet: UUID, of model: AdminModel, query: ListQuery,
        context: AdminRequestContext
    ) async throws -> Response {
        let location = query.text(for: model.configuration)
        let csrf = site.tokens.token(for: context.session)
        var hidden = ids.map { ("id", $0.canonicalText) }
        hidden.append(("changeset", changeSet.canonicalText))
        hidden.append(("allow", String(question.allow)))
        if !location.isEmpty { hidden.append(("return", location)) }
        return await pages.page(title: question.title, at: .model(model.schema.name), principal: try context.principal, csrf: csrf) { html in
            html.render(Question(
                title: question.title, text: question.lines, confirmTitle: question.confirm,
                action: model.paths.delete, csrf: csrf, hidden: hidden,
                cancelHref: model.paths.list.withQuery(location)
            ))
        }
    }

    private func news(
        _ notice: Notice, _ model: AdminModel, query: ListQuery, request: Request,
        context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let shelf = await site.shelf(site.drafts.open(request, user: try context.principal.draftOwner))
        return try await lists.page(model, query: query, shelf: shelf, context: context, status: status, notices: [notice])
    }
}

private struct DeletedAnswer: Encodable {
    let deleted: [String]
    let message: String
    /// Where it is taken back.
    let undo: String
    /// As what: sent twice it is done once.
    let changeset: String
}
