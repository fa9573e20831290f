import ActivityFeature
import AviaryDesign
import AviaryDomain
import Foundation
import HTTPTypes
import Hummingbird

/// Takes commits back, and leads to where that was asked for.
struct UndoCoordinator: Sendable {
    let site: AdminSite
    let pages: AdminPages

    /// Takes the commit back that the address names: as a redirect to the form's `return`, or as JSON for a script.
    func undo(_ request: Request, context: AdminRequestContext) async throws -> Response {
        let model = try await viewModel(context)
        let changeSet = context.form.value("changeset").flatMap { UUID(canonicalText: $0) } ?? .version7()
        let back = context.form.value("return").flatMap { LocalPath($0) }?.text
        switch await model.undo(as: changeSet) {
        case .undone(let commit, let message):
            return request.wantsJSON
                ? .json(UndoneAnswer(commit: commit, message: message))
                : .seeOther(CommitNews.address(back ?? ModelPaths.admin, .undone, commit))
        case .refused(let obstacles):
            return request.wantsJSON
                ? .json(["error": localized("Not taken back:") + " " + obstacles.prefix(3).map(\.sentence).joined(separator: " ")], status: .conflict)
                : try await page(UndoRefusalView(obstacles: obstacles, backHref: back ?? ModelPaths.admin), context: context)
        case .unavailable(let message, let seconds):
            throw RequestRefusal(
                status: .serviceUnavailable, title: localized("This was not taken back"), text: message, backTitle: localized("Go back"),
                backPath: back ?? ModelPaths.admin, retryAfter: seconds
            )
        }
    }

    private func viewModel(_ context: AdminRequestContext) async throws -> UndoViewModel {
        let principal = try context.principal
        guard let number = context.parameters.get("commit").flatMap({ Int64($0) }) else { throw RequestRefusal.notFound }
        do {
            return try await reading {
                try await UndoViewModel(commit: number, scope: site.activityScope(of: principal), history: site.container.history)
            }
        } catch AccessRefusal.hidden {
            throw RequestRefusal(
                status: .notFound, title: localized("There is nothing to take back"),
                text: localized("The history does not have this change: it is too old, or the address is mistyped. Nothing was changed.")
            )
        }
    }

    private func page(_ view: UndoRefusalView, context: AdminRequestContext) async throws -> Response {
        await pages.page(
            title: UndoRefusalView.title, at: .activity, principal: try context.principal,
            csrf: site.tokens.token(for: context.session), status: .conflict
        ) { $0.render(view) }
    }
}

private struct UndoneAnswer: Encodable {
    let commit: Int64
    let message: String
}

extension AdminSite {
    /// What of the history somebody may see.
    func activityScope(of principal: Principal) -> ActivityScope {
        ActivityScope(principal: principal, records: container.models.map(\.repository) + [container.accountRecords])
    }
}
