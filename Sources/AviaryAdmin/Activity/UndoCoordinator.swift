import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird
import Logging

/// A coordinator that undoes commits and returns to the page from which the user asked for it.
struct UndoCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Undoes the commit in the request's address. The answer is a redirect to the form's `return`, or JSON for a
    /// script.
    func undo(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let model = try await viewModel(context)
        let changeSet = context.form.value("changeset").flatMap { UUID(canonicalText: $0) } ?? .version7()
        let back = context.form.value("return").flatMap { LocalPath($0) }?.text
        if let series = context.form.value("series") {
            return try await undo(series, from: model.commit, back: back ?? ModelPaths.admin, context: context)
        }
        let log = try OperationLog(context)
        switch await model.undo(as: changeSet) {
        case .undone(let commit, let message):
            log.note(
                "a commit was undone",
                ["undone": "\(model.commit.number)", "commit": "\(commit)", "changes": "\(model.commit.changes)"])
            return request.wantsJSON
                ? .json(UndoResponse(commit: commit, message: message))
                : .seeOther(FlashMessage.address(back ?? ModelPaths.admin, .undone, commit))
        case .refused(let obstacles):
            return request.wantsJSON
                ? .json(
                    [
                        "error": localized("Not undone:") + " "
                            + obstacles.prefix(3).map(\.sentence).joined(separator: " ")
                    ], status: .conflict)
                : try await page(
                    UndoRefusalView(obstacles: obstacles, backHref: back ?? ModelPaths.admin), context: context)
        case .stopped:
            log.note("an undo was stopped", ["commit": "\(model.commit.number)"])
            return request.wantsJSON
                ? .json(["error": UndoStoppedView.title + ". " + UndoStoppedView.text], status: .conflict)
                : pages.page(
                    title: UndoStoppedView.title, at: .activity, principal: try context.principal,
                    csrf: site.tokens.token(for: context.session)
                ) { $0.render(UndoStoppedView(backHref: back ?? ModelPaths.admin)) }
        case .unavailable(let message, let seconds):
            throw PageError(
                status: .serviceUnavailable, title: localized("Couldn’t undo this step"), text: message,
                backTitle: localized("Go back"),
                backPath: back ?? ModelPaths.admin, retryAfter: seconds
            )
        }
    }

    /// Undoes the commits of a series, from the given commit back to its first.
    private func undo(
        _ series: String, from commit: CommitSummary, back: String, context: AdminRequestContext
    ) async throws -> Response {
        guard let series = UUID(canonicalText: series).map({ ChangeSetSeries($0) }) else {
            throw PageError.malformedForm
        }
        let principal = try context.principal, done = context.form.value("done").flatMap { Int($0) } ?? 0
        let undo = BatchUndoRun(
            series, scope: site.activityScope(of: principal), history: site.container.history, author: commit.author,
            isGood: { [accounts = site.container.accounts] in try await accounts.isGood(principal) })
        let log = try OperationLog(context), before = min(max(0, done), 1_000_000)
        let step = try await mappingReadErrors { try await undo.step(from: commit.number, done: before) }
        if step.done > before {
            log.note(
                "commits were undone",
                [
                    "series": "\(series.id.canonicalText)", "from": "\(commit.number)",
                    "commits": "\(step.done - before)",
                ])
        }
        let csrf = site.tokens.token(for: context.session)
        let view = BatchUndoView(step: step, series: series, csrf: csrf, backHref: back)
        var response = pages.page(
            title: view.title, at: .activity, principal: principal, csrf: csrf,
            status: step.isTemporary ? .serviceUnavailable : step.isRefused ? .conflict : .ok
        ) { $0.render(view) }
        if step.isTemporary { response.headers[.retryAfter] = "2" }
        return response
    }

    private func viewModel(_ context: AdminRequestContext) async throws -> UndoViewModel {
        let principal = try context.principal
        do {
            guard let number = context.parameters.get("commit").flatMap({ Int64($0) }) else {
                throw AccessError.hidden
            }
            return try await mappingReadErrors {
                try await UndoViewModel(
                    commit: number, scope: site.activityScope(of: principal), history: site.container.history,
                    longChange: { [container = site.container] in await container.longChange() })
            }
        } catch AccessError.hidden {
            throw PageError(
                status: .notFound, title: localized("Nothing to undo"),
                text: localized(
                    "The history doesn’t contain this step: it is too old, or the address is wrong. Nothing was changed."
                )
            )
        }
    }

    private func page(_ view: UndoRefusalView, context: AdminRequestContext) async throws -> Response {
        pages.page(
            title: UndoRefusalView.title, at: .activity, principal: try context.principal,
            csrf: site.tokens.token(for: context.session), status: .conflict
        ) { $0.render(view) }
    }
}

private struct UndoResponse: Encodable {
    let commit: Int64
    let message: String
}

extension AdminSite {
    /// Returns the part of the history that a user may see.
    func activityScope(of principal: Principal) -> ActivityScope {
        ActivityScope(principal: principal, records: container.models.map(\.repository) + [container.accountRecords])
    }
}
