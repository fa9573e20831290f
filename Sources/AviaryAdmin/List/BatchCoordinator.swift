import ActivityFeature
import AviaryDesign
import AviaryDomain
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The coordinator of actions on many records: a question, then one part after the other, each with a form of its
/// own, until nothing is left.
///
/// The address contains the progress, so that a reload, another worker, and the same worker after a crash all
/// continue from the same state. Requesting a page changes nothing.
struct BatchCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let lists: ListCoordinator

    /// Shows the question or the progress.
    func show(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let list = try self.list(model, fields: context.query, context: context)
        let ids = try context.query.recordIDs(orThrow: .unreadableAddress("id").leading(to: model))
        if let deletion = try deletion(of: list, fields: context.query, model, context) {
            guard ids.isEmpty, context.query.value("all") == "1" else { throw PageError.nothingTicked(model) }
            return try await deletion.show()
        }
        let action = try action(of: list, fields: context.query, model)
        if !ids.isEmpty {
            return try await page(list, BatchQuestion(list: list, action: action, ids: ids), context)
        }
        guard context.query.value("all") == "1" else { throw PageError.nothingTicked(model) }
        if let progress = BatchProgress(context.query) {
            return try await self.progress(progress, action, list, context)
        }
        return try await question(list, action, context: context)
    }

    /// Performs the next part, or the whole operation when the form names the records.
    func run(_ model: AdminModel, request: Request, context: AdminRequestContext) async throws -> Response {
        let list = try self.list(model, fields: context.form, context: context)
        let ids = try context.form.recordIDs()
        if let deletion = try deletion(of: list, fields: context.form, model, context) {
            guard ids.isEmpty else { throw PageError.malformedForm }
            // An empty selection must never mean all records.
            guard context.form.value("all") == "1" else { throw PageError.nothingTicked(model) }
            return try await deletion.run()
        }
        let action = try action(of: list, fields: context.form, model)
        guard ids.isEmpty else { return try await run(action, on: ids, of: model, list: list, context: context) }
        guard context.form.value("all") == "1" else { throw PageError.nothingTicked(model) }
        return try await step(action, list, model, context: context)
    }

    private func step(
        _ action: BulkAction, _ list: ListViewModel, _ model: AdminModel, context: AdminRequestContext
    ) async throws -> Response {
        let progress = BatchProgress(context.form) ?? BatchProgress()
        // The page that shows the progress looks up a next part that is not known.
        guard let text = context.form.value("part"), !text.isEmpty else {
            return .seeOther(list.batchAddress(action, progress))
        }
        guard let part = BatchPart(text) else { throw PageError.malformedForm }
        let log = try OperationLog(context)
        let step = try await list.step(
            action, on: part, from: progress, records: model.records,
            isGood: { [accounts = site.container.accounts] in try await accounts.isGood(list.principal) })
        let done = step.progress.done - progress.done
        if done > 0 {
            log.note(
                "records were changed",
                [
                    "action": "\(action.name)", "model": "\(model.schema.name)", "records": "\(done)",
                    "total": "\(step.progress.done)", "refused": "\(step.progress.refused)",
                ])
        }
        if let cause = step.cause { self.log(cause, of: action, context) }
        guard let reason = step.stoppedBecause else { return .seeOther(list.batchAddress(action, step.progress)) }
        return try await stopped(
            BatchProgressView(
                list: list, action: action, progress: step.progress, part: step.rest, reason: reason), list,
            context
        )
    }

    private func progress(
        _ progress: BatchProgress, _ action: BulkAction, _ list: ListViewModel, _ context: AdminRequestContext
    ) async throws -> Response {
        do {
            let part = try await list.nextPart(progress)
            let undo = part.isEmpty ? try await undo(progress, list, context) : .impossible
            return try await page(
                list, BatchProgressView(list: list, action: action, progress: progress, part: part, undo: undo),
                context)
        } catch is ReadError {
            let reason = localized("Couldn’t load the \(list.schema.pluralName). Continue in a moment.")
            return try await stopped(
                BatchProgressView(list: list, action: action, progress: progress, part: nil, reason: reason),
                list, context
            )
        }
    }

    /// Returns the undo of an operation.
    ///
    /// A single commit is undone at once, and several commits one after the other. If the history does not have
    /// the whole series, its parts can be undone under Activity.
    private func undo(_ progress: BatchProgress, _ list: ListViewModel, _ context: AdminRequestContext) async throws
        -> BatchUndo
    {
        let back = list.paths.list.withQuery(list.location)
        if let commit = progress.commit {
            guard let action = try await FlashMessage(site: site).undo(context, back: back) else { return .impossible }
            return try await site.container.history.undoneCommits(of: [commit]).isEmpty ? .possible(action) : .done
        }
        guard progress.parts > 1 else { return .impossible }
        let undo = BatchUndoRun(
            progress.series, scope: site.activityScope(of: list.principal), history: site.container.history,
            isGood: { [accounts = site.container.accounts] in try await accounts.isGood(list.principal) })
        switch try await undo.state(of: progress.parts) {
        case .possible(let newest):
            return .possible(
                .post(
                    title: localized("Undo all"), action: ActivityPaths.undo(newest),
                    csrf: site.tokens.token(for: context.session),
                    hidden: BatchUndoView.fields(progress.series, returningTo: back)
                ))
        case .done: return .done
        case .impossible:
            guard list.principal.may(.activity) else { return .impossible }
            let activity = FormEncoding.encode([
                FormField(name: "model", value: list.schema.slug),
                FormField(name: "person", value: list.principal.name),
            ])
            return .possible(
                .link(title: localized("Undo in Activity…"), href: ActivityPaths.all.withQuery(activity)))
        }
    }

    private func stopped(_ view: BatchProgressView, _ list: ListViewModel, _ context: AdminRequestContext) async throws
        -> Response
    {
        var response = try await page(list, view, context, status: .serviceUnavailable)
        response.headers[.retryAfter] = "2"
        return response
    }

    private func log(_ error: any Error, of action: BulkAction, _ context: AdminRequestContext) {
        // The error's text may contain values of records.
        context.logger.error(
            "an action failed", metadata: ["action": "\(action.name)", "error": "\(type(of: error))"])
    }

    private func run(
        _ action: BulkAction, on ids: [UUID], of model: AdminModel, list: ListViewModel, context: AdminRequestContext
    ) async throws -> Response {
        let changeSet = context.form.value("changeset").flatMap { UUID(canonicalText: $0) } ?? .version7()
        let back = model.paths.list.withQuery(list.location), log = try OperationLog(context)
        switch await list.perform(action, on: ids, as: changeSet, records: model.records) {
        case .done(let commit):
            log.note(
                "records were changed",
                [
                    "action": "\(action.name)", "model": "\(model.schema.name)", "records": "\(ids.count)",
                    "commit": "\(commit)",
                ])
            return .seeOther(FlashMessage.address(back, .did, commit))
        case .nothingToDo:
            throw PageError(
                status: .conflict, title: await notDone(action, ids, of: model),
                text: localized("There was nothing to do."),
                backTitle: localized("Back to the \(model.schema.pluralName)"), backPath: back
            )
        case .refused(let reason, let isTemporary, let cause):
            if let cause { self.log(cause, of: action, context) }
            throw PageError(
                status: isTemporary ? .serviceUnavailable : .conflict, title: await notDone(action, ids, of: model),
                text: reason,
                backTitle: localized("Back to the \(model.schema.pluralName)"), backPath: back,
                retryAfter: isTemporary ? 2 : nil
            )
        }
    }

    /// Returns the title of the page after an action that changed nothing, with the names of a few records.
    private func notDone(_ action: BulkAction, _ ids: [UUID], of model: AdminModel) async -> String {
        var titles: [String] = []
        for id in ids.count <= Self.mostNamed ? ids : [] {
            // A record that cannot be read is counted and not named.
            guard let record = try? await model.repository.find(id) else { continue }
            let title = record.title(in: model.schema)
            // A person does not recognize a record by its id.
            if title != id.canonicalText {
                titles.append(TextFormatter.quoted(TextFormatter.beginning(of: title, longest: 80)))
            }
        }
        let records = titles.count == ids.count ? TextFormatter.list(titles) : model.schema.counted(ids.count)
        return localized("\(action.title): \(records) not changed")
    }

    /// The largest number of records whose names are in a title.
    private static let mostNamed = 3

    private func question(
        _ list: ListViewModel, _ action: BulkAction, context: AdminRequestContext
    ) async throws -> Response {
        var list = list
        await list.load()
        // If they cannot be found quickly, the first form leads to the page that looks for them.
        let part = try? await list.nextPart(BatchProgress(), mayTakeLong: false)
        // There is nothing to ask about. The list says that no records match.
        if part?.isEmpty == true { return .seeOther(list.paths.list.withQuery(list.location)) }
        return try await page(list, BatchQuestion(list: list, action: action, ids: [], part: part), context)
    }

    /// Returns the list that the form was opened from.
    private func list(
        _ model: AdminModel, fields: [FormField], context: AdminRequestContext
    ) throws -> ListViewModel {
        let text = fields.value("return") ?? ""
        // The text is not repeated in the error.
        guard let location = try? FormEncoding.decode(text.utf8) else { throw PageError.malformedForm }
        // A list whose address cannot be read must not become a longer one.
        let query = try lists.query(location, of: model)
        return try lists.viewModel(model, query: query, context: context)
    }

    /// Returns the coordinator of a delete; nil for other operations.
    private func deletion(
        of list: ListViewModel, fields: [FormField], _ model: AdminModel, _ context: AdminRequestContext
    ) throws -> BulkDeletionCoordinator? {
        guard fields.value("do") == "delete" else { return nil }
        guard list.canDelete else { throw AccessError.forbidden }
        return BulkDeletionCoordinator(site: site, pages: pages, list: list, model: model, context: context)
    }

    private func action(of list: ListViewModel, fields: [FormField], _ model: AdminModel) throws -> BulkAction {
        let name = fields.value("do") ?? ""
        if let action = list.action(name) { return action }
        throw model.configuration.action(name) == nil ? PageError.notFound : AccessError.forbidden
    }

    private func page(
        _ list: ListViewModel, _ view: some BatchView, _ context: AdminRequestContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let csrf = site.tokens.token(for: context.session)
        return pages.page(
            title: view.title, at: .model(list.schema.name), principal: list.principal, csrf: csrf, status: status
        ) { view.render(into: &$0, csrf: csrf) }
    }
}

extension PageError {
    fileprivate static func nothingTicked(_ model: AdminModel) -> PageError {
        PageError(
            status: .badRequest, title: localized("Nothing selected"),
            text: localized("Nothing was changed. Select records first."),
            backTitle: localized("Back to the \(model.schema.pluralName)"), backPath: model.paths.list
        )
    }
}

extension [FormField] {
    /// Returns the ticked records, each once.
    ///
    /// - Parameter refusal: The error that is thrown for more ids than a page can have rows, and for a text that
    ///   is not an id.
    func recordIDs(orThrow refusal: @autoclosure () -> PageError = .malformedForm) throws -> [UUID] {
        var seen: Set<UUID> = []
        let texts = values("id")
        guard texts.count <= 1000 else { throw refusal() }
        return try texts.compactMap { text in
            guard let id = UUID(canonicalText: text) else { throw refusal() }
            return seen.insert(id).inserted ? id : nil
        }
    }
}
