import ActivityFeature
import AviaryDesign
import AviaryDomain
import AviaryIPC
import BrowseFeature
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// The coordinator of deletes of all records that a list finds: a question, then one change of the store with its
/// progress, and a page with the result. A large delete of selected records has the same progress and result.
///
/// The address names the change set. The store has its progress and its receipt, so that a reload, another worker, and
/// the same worker after a crash show the same. Requesting a page changes nothing.
struct BulkDeletionCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages
    let list: ListViewModel
    let model: AdminModel
    let context: AdminRequestContext

    /// The time in seconds for which another worker may look for the records.
    private static let longestSearch: TimeInterval = 30

    /// Shows the question, the progress or the result.
    func show() async throws -> Response {
        guard let deletion = BulkDeletion(context.query) else { return try await question() }
        return try await state(of: deletion)
    }

    /// Begins or stops the delete.
    func run() async throws -> Response {
        let deletion = BulkDeletion(context.form) ?? BulkDeletion()
        if context.form.value("stop") == "1" { return try await stop(deletion) }
        guard !deletion.isOfSelection else { throw PageError.malformedForm }
        // Deleting all records requires the model's name, each time.
        guard list.isName(context.form.value("name") ?? "") else {
            return try await question(again: deletion, isNameWrong: true, status: .unprocessableContent)
        }
        if try await ledgerOutcome(of: deletion) == nil { try await begin(deletion) }
        switch await site.deletions.outcome(of: deletion.changeSet, within: BulkDeletionRegistry.patience) {
        case nil, .unconfirmed?, .stopped?: break
        // Another worker may answer the request for the address, and does not know why a delete was refused.
        case let outcome?:
            if try await ledgerOutcome(of: deletion) == nil { return try await ended(outcome, deletion) }
        }
        return .seeOther(list.address(of: deletion) + "&since=\(Int(site.now().timeIntervalSince1970))")
    }

    private func begin(_ deletion: BulkDeletion) async throws {
        let log = try OperationLog(context), changeSet = deletion.changeSet
        let stop = { @Sendable [container = site.container] in
            try await container.discardDelete(changeSet, patience: BulkDeletionRegistry.stopPatience)
        }
        await site.deletions.begin(changeSet, stop: stop) { [site, list, name = model.schema.name] in
            let outcome = await list.delete(all: deletion, schema: site.schema) {
                guard await !site.deletions.isStopped(changeSet) else { throw StoreError.stopped }
                return try await site.container.accounts.isGood(list.principal)
            }
            switch outcome {
            case .deleted(let ids, _, let commit):
                log.note(
                    "records were deleted", ["model": "\(name)", "records": "\(ids.count)", "commit": "\(commit)"])
            case .stopped:
                log.note("a delete was stopped", ["model": "\(name)", "changeSet": "\(changeSet.canonicalText)"])
            case .question, .refused, .unconfirmed: break
            }
            return outcome
        }
    }

    /// Stops the delete unless it is committed, so that nothing of it is done.
    private func stop(_ deletion: BulkDeletion) async throws -> Response {
        let changeSet = deletion.changeSet
        // Somebody else stops a change under Activity, where more is asked.
        if let status = await site.container.longChange(), status.changeSet == changeSet,
            status.author != list.principal.name
        {
            throw AccessError.forbidden
        }
        let address = list.address(of: deletion)
        if await site.deletions.stop(changeSet) {
            _ = await site.deletions.outcome(of: changeSet, within: BulkDeletionRegistry.patience)
            return .seeOther(address)
        }
        do {
            try await site.container.discardDelete(changeSet)
            return .seeOther(address)
        } catch {
            return .seeOther(address + "&stop=\(Int(site.now().timeIntervalSince1970))")
        }
    }

    private func state(of deletion: BulkDeletion) async throws -> Response {
        let state = await site.deletions.state(of: deletion.changeSet)
        let store = await site.container.storeStatus(), status = store?.longChange
        // The ledger comes last: a change that is not under way any more has an outcome, or was not made.
        switch try await ledgerOutcome(of: deletion) {
        case .saved(let commit)?: return try await done(commit, deletion)
        // The store that makes it finds this out at its next step.
        case .discarded? where status?.changeSet == deletion.changeSet:
            return try await running(localized("Stopping…"), canBeStopped: false, deletion)
        case .discarded?: return try await page(.stopped, deletion)
        case nil: break
        }
        if let status, status.changeSet == deletion.changeSet {
            let notice = LongChangeNotice(status, in: site.activityScope(of: list.principal))
            return try await running(
                notice.what + ". " + notice.progress,
                canBeStopped: status.canBeStopped && status.author == list.principal.name, deletion)
        }
        // Only the ledger proves that a delete was stopped.
        if await site.deletions.isStopped(deletion.changeSet) { return try await waiting(deletion, during: status) }
        switch state {
        case .running?: return try await waiting(deletion, during: status)
        case .ended(.unconfirmed)?, nil:
            if store == nil {
                return try await running(
                    localized("Couldn’t confirm the delete yet: the server isn’t responding."), canBeStopped: true,
                    deletion)
            }
            if isRecent("stop") {
                return try await running(
                    localized(
                        "Couldn’t stop the delete: the server can’t save changes right now. Try again in a moment."),
                    canBeStopped: true, deletion)
            }
            let isElsewhere = if case nil = state { isRecent("since") } else { false }
            if status != nil || isElsewhere { return try await waiting(deletion, during: status) }
            let reason = localized("This delete isn’t under way any more, and nothing was deleted by it so far.")
            return try await page(.interrupted(reason: reason), deletion)
        case .ended(let outcome)?: return try await ended(outcome, deletion)
        }
    }

    /// Indicates whether the time in the address is recent, so that another worker may still look for the records, or the
    /// store may still have a request.
    private func isRecent(_ name: String) -> Bool {
        guard let time = context.query.value(name).flatMap({ TimeInterval($0) }) else { return false }
        return (0..<Self.longestSearch).contains(site.now().timeIntervalSince1970 - time)
    }

    private func waiting(_ deletion: BulkDeletion, during status: LongChangeStatus?) async throws -> Response {
        let isStopped = await site.deletions.isStopped(deletion.changeSet)
        let progress =
            isStopped
            ? localized("Stopping…")
            : status == nil
                ? localized("Looking for the \(list.schema.pluralName).")
                : localized("Waiting for another large change.")
        return try await running(progress, canBeStopped: !isStopped, deletion)
    }

    /// Returns the page of a delete that has no outcome yet.
    private func running(_ progress: String, canBeStopped: Bool, _ deletion: BulkDeletion) async throws -> Response {
        try await page(.running(progress: progress, canBeStopped: canBeStopped), deletion).autoRefreshing(while: true)
    }

    private func ended(_ outcome: DeleteOutcome, _ deletion: BulkDeletion) async throws -> Response {
        switch outcome {
        // The receipt has expired.
        case .deleted(_, let message, _): return try await page(.done(result: message, undo: .impossible), deletion)
        case .stopped: return try await page(.stopped, deletion)
        case .question(let question) where deletion.isOfSelection:
            let reason = ([localized("Nothing was deleted.")] + question.lines).joined(separator: " ")
            return try await page(.refused(reason: reason, links: question.links), deletion, status: .conflict)
        case .question:
            return try await question(
                reason: localized("Nothing was deleted yet: other records have changed meanwhile. Check again."),
                status: .conflict)
        case .refused(let reason, isTemporary: true, _), .unconfirmed(let reason):
            var response = try await page(.interrupted(reason: reason), deletion, status: .serviceUnavailable)
            response.headers[.retryAfter] = "2"
            return response
        case .refused(let reason, _, let links):
            return try await page(.refused(reason: reason, links: links), deletion, status: .conflict)
        }
    }

    private func done(_ number: Int64, _ deletion: BulkDeletion) async throws -> Response {
        let history = site.container.history
        let unnamed = localized("Deleted the \(list.schema.pluralName)")
        // The store writes the history of a large delete after its commit. Until that is complete, only the status of
        // the store has the numbers, and a status that was read before the commit lacks them.
        guard let store = await site.container.storeStatus() else {
            return try await page(.done(result: unnamed, undo: .impossible), deletion).autoRefreshing(while: true)
        }
        guard let commit = try await history.commit(number) else {
            return try await page(.done(result: unnamed, undo: .impossible), deletion)
                .autoRefreshing(while: store.longChange?.commit == number)
        }
        let scope = site.activityScope(of: list.principal)
        let result = try await CommitResult(of: commit, in: scope, history: history, during: store.longChange)
        var undo = BatchUndo.impossible
        if commit.author == list.principal.name, result.canUndo {
            let back = list.paths.list.withQuery(list.location)
            undo =
                try await history.undoneCommits(of: [commit.number]).isEmpty
                ? .possible(
                    .post(
                        title: localized("Undo"), action: ActivityPaths.undo(commit.number),
                        csrf: site.tokens.token(for: context.session),
                        hidden: ActivityPaths.undoFields(returningTo: back)))
                : .done
        }
        return try await page(.done(result: result.sentence ?? unnamed, undo: undo), deletion)
    }

    /// Returns the stored outcome of the delete; nil while it has none. A delete that was stopped is discarded.
    private func ledgerOutcome(of deletion: BulkDeletion) async throws -> DraftOutcome? {
        try await mappingReadErrors { try await site.container.ledger.outcome(ofDraft: deletion.changeSet) }
    }

    /// Asks, with a new change set unless the same question is asked again.
    private func question(
        again deletion: BulkDeletion = BulkDeletion(), isNameWrong: Bool = false, reason: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var list = list
        await list.load()
        // The question is asked without a number and the effects if they cannot be found quickly.
        let count = try? await list.count(until: deletion.changeSet, records: model.records)
        // There is nothing to ask about. The list says that no records match.
        if count == 0 { return .seeOther(list.paths.list.withQuery(list.location)) }
        let effects =
            (count ?? .max) <= BulkDeletion.mostPlanned
            // The question is asked without the effects if they cannot be counted in time.
            ? try? await list.question(before: deletion, schema: site.schema) : nil
        return try await page(
            BulkDeletionQuestion(
                list: list, deletion: deletion, count: count, effects: effects, schema: site.schema,
                policy: site.container.historyPolicy, isNameWrong: isNameWrong, reason: reason), status: status)
    }

    private func page(
        _ state: BulkDeletionView.State, _ deletion: BulkDeletion, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await page(BulkDeletionView(list: list, deletion: deletion, state: state), status: status)
    }

    private func page(_ view: some BatchView, status: HTTPResponse.Status) async throws -> Response {
        let csrf = site.tokens.token(for: context.session)
        return pages.page(
            title: view.title, at: .model(list.schema.name), principal: list.principal, csrf: csrf, status: status
        ) { view.render(into: &$0, csrf: csrf) }
    }
}
