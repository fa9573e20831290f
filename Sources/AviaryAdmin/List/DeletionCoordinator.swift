import ActivityFeature
import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The coordinator of deletions. It deletes at once when no other record is affected, and else asks first.
struct DeletionCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let lists: ListCoordinator

    /// The form field that says that the question comes from a record's own sheet.
    ///
    /// Cancelling leads back to the sheet.
    static let inSheet = FormField(name: "sheet", value: "1")

    /// Shows the confirmation page, for a browser without scripts.
    func ask(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let ids = try context.query.recordIDs(orThrow: .unreadableAddress("id").leading(to: model))
        let query = lists.returnQuery(context.query, of: model)
        guard !ids.isEmpty else {
            return try await news(
                Notice(.information, localized("Nothing selected. Select the records to delete first.")), model,
                query: query, request: request, context: context)
        }
        let question = try await mappingReadErrors {
            try await viewModel(model, query: query, context: context).question(ids, schema: site.schema)
        }
        guard let question else {
            return try await news(
                Notice(.information, localized("The selected records were already deleted.")), model, query: query,
                request: request, context: context)
        }
        return try await questionPage(
            question, ids: ids, changeSet: .version7(), of: model, query: query, fields: context.query, context: context
        )
    }

    /// Deletes the records, or reports why not: as a page, or as JSON for the script that has already removed the
    /// row.
    func delete(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let ids = try context.form.recordIDs()
        guard !ids.isEmpty else { throw PageError.malformedForm }
        let query = lists.returnQuery(context.form, of: model)
        let changeSet = context.form.value("changeset").flatMap { UUID(canonicalText: $0) } ?? .version7()
        let limit = context.form.value("allow").flatMap { Int($0) } ?? 0
        let log = try OperationLog(context)
        let list = try viewModel(model, query: query, context: context)
        guard list.canDelete else { throw AccessError.forbidden }
        let delete: @Sendable () async -> DeleteOutcome = { [schema = site.schema] in
            do {
                return try await list.delete(ids, changeSet: changeSet, cascadeLimit: max(0, limit), schema: schema)
            } catch {
                return .refused(reason: localized("Your role doesn’t allow this."), isTemporary: false)
            }
        }
        func refusal(_ reason: String, _ isTemporary: Bool, _ links: [LinkedText.Link]) async throws -> Response {
            let status: HTTPResponse.Status = isTemporary ? .serviceUnavailable : .conflict
            var response =
                request.wantsJSON
                ? Response.json(
                    RejectedDeletionResponse(error: reason, parts: LinkedText(reason, links: links).parts),
                    status: status)
                : try await news(
                    Notice(.failure, reason, links: links), model, query: query, request: request, context: context,
                    status: status)
            if isTemporary { response.headers[.retryAfter] = "2" }
            return response
        }
        guard let outcome = try await outcome(of: changeSet, delete)
        else {
            return Response.seeOther(list.address(of: BulkDeletion(ofSelection: changeSet)))
                .redirectOrJSON(to: request)
        }
        switch outcome {
        case .deleted(let ids, let message, let commit):
            if ids.count > 1 {
                log.note(
                    "records were deleted",
                    ["model": "\(model.schema.name)", "records": "\(ids.count)", "commit": "\(commit)"])
            }
            guard request.wantsJSON else {
                return .seeOther(
                    FlashMessage.address(model.paths.list.withQuery(query.text(for: model.configuration)), .did, commit)
                )
            }
            let principal = try context.principal
            // The history says what else was changed. If the history does not keep it, the message omits that.
            let words = try? await FlashMessage(site: site).sentence(of: commit, for: principal)
            return .json(
                DeletionResponse(
                    deleted: ids.map(\.canonicalText), message: words ?? message, undo: ActivityPaths.undo(commit),
                    changeset: UUID.version7().canonicalText, counts: pages.counts(for: principal)
                ))
        case .question(let question):
            return request.wantsJSON
                ? .json(["question": question], status: .conflict)
                : try await questionPage(
                    question, ids: ids, changeSet: changeSet, of: model, query: query, fields: context.form,
                    context: context
                )
        case .refused(let reason, let isTemporary, let links): return try await refusal(reason, isTemporary, links)
        case .unconfirmed(let reason): return try await refusal(reason, true, [])
        case .stopped:
            let reason = localized("Delete stopped. Nothing was deleted.")
            return request.wantsJSON
                ? .json(
                    RejectedDeletionResponse(error: reason, parts: LinkedText(reason, links: []).parts),
                    status: .conflict)
                : try await news(
                    Notice(.information, reason), model, query: query, request: request, context: context)
        }
    }

    /// Deletes, and returns the outcome; nil while the store makes a large change that has a page with its progress.
    private func outcome(
        of changeSet: UUID, _ delete: @escaping @Sendable () async -> DeleteOutcome
    ) async throws -> DeleteOutcome? {
        let stop = { @Sendable [container = site.container] in
            try await container.discardDelete(changeSet, patience: BulkDeletionRegistry.stopPatience)
        }
        await site.deletions.begin(changeSet, stop: stop, delete)
        while true {
            if let outcome = await site.deletions.outcome(of: changeSet, within: BulkDeletionRegistry.patience) {
                return outcome
            }
            try Task.checkCancellation()
            if await site.container.longChange()?.changeSet == changeSet { return nil }
        }
    }

    private func viewModel(
        _ model: AdminModel, query: ListQuery, context: AdminRequestContext
    ) throws -> ListViewModel {
        try ListViewModel(
            configuration: model.configuration, query: query, repository: model.repository,
            principal: try context.principal,
            others: { [container = site.container] name in container.model(named: name)?.repository }
        )
    }

    private func questionPage(
        _ question: DeleteQuestion, ids: [UUID], changeSet: UUID, of model: AdminModel, query: ListQuery,
        fields: [FormField], context: AdminRequestContext
    ) async throws -> Response {
        let location = query.text(for: model.configuration)
        let csrf = site.tokens.token(for: context.session)
        var hidden = ids.map { ("id", $0.canonicalText) }
        hidden.append(("changeset", changeSet.canonicalText))
        hidden.append(("allow", String(question.allow)))
        if !location.isEmpty { hidden.append(("return", location)) }
        let sheet = fields.contains(Self.inSheet) && ids.count == 1 ? ids.first : nil
        if sheet != nil { hidden.append((Self.inSheet.name, Self.inSheet.value)) }
        return pages.page(
            title: question.title, at: .model(model.schema.name), principal: try context.principal, csrf: csrf
        ) { html in
            html.render(
                Question(
                    title: question.title, text: question.lines, links: question.links, confirmTitle: question.confirm,
                    action: model.paths.delete, csrf: csrf, hidden: hidden,
                    cancelHref: (sheet.map(model.paths.record) ?? model.paths.list).withQuery(location)
                ))
        }
    }

    private func news(
        _ notice: Notice, _ model: AdminModel, query: ListQuery, request: Request,
        context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let browserDrafts = await site.browserDrafts(site.drafts.open(request, user: try context.principal.draftOwner))
        return try await lists.page(
            model, query: query, browserDrafts: browserDrafts, context: context, status: status, notices: [notice])
    }
}

private struct DeletionResponse: Encodable {
    let deleted: [String]
    let message: String
    /// The address that undoes the deletion.
    let undo: String
    /// The id of the change set, which makes the request idempotent.
    let changeset: String
    /// The number of records of each model by the path of its list, because a deletion can affect other models.
    let counts: [String: Int]
}

private struct RejectedDeletionResponse: Encodable {
    let error: String
    /// The error in parts, with the links of its names.
    let parts: [LinkedText.Part]
}
