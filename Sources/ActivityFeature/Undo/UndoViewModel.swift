package import AviaryDesign
package import AviaryDomain
import AviaryLocalization
package import Foundation

/// The view model of undoing a commit.
package struct UndoViewModel: Sendable {
    package let commit: CommitSummary
    /// The counts of all changes in the commit, visible or not.
    let tally: [ChangeTally]
    let scope: ActivityScope
    let history: any HistoryRepository
    private let longChange: @Sendable () async -> LongChangeStatus?

    /// Reads the commit and checks the permissions.
    ///
    /// - Parameter longChange: A closure that returns the large change under way; nil if there is none.
    /// - Throws: ``AccessError``: `forbidden` if the commit is not the principal's own, or does not exist, and
    ///   the principal is not allowed to see the activity of others; `hidden` if there is no such commit or none of
    ///   its changes is visible; `forbidden` if the principal is not allowed to make the inverse changes;
    ///   `ReadError`.
    package init(
        commit number: Int64, scope: ActivityScope, history: any HistoryRepository,
        longChange: @escaping @Sendable () async -> LongChangeStatus? = { nil }
    ) async throws {
        let found = try await history.commit(number)
        // The response is the same for an unknown commit, so that it does not reveal the activity of others.
        guard Self.mayKnow(of: found, scope.principal) else { throw AccessError.forbidden }
        guard let commit = found else { throw AccessError.hidden }
        let tally = try await history.tally(of: number, during: longChange())
        guard tally.contains(where: { scope.models.contains($0.model) }) else { throw AccessError.hidden }
        self.commit = commit
        self.tally = tally
        self.scope = scope
        self.history = history
        self.longChange = longChange
        guard isPermitted else { throw AccessError.forbidden }
    }

    /// Indicates whether the principal is allowed to make the inverse changes to all records of the commit. A
    /// commit of somebody else also requires the permission to see the activity.
    private var isPermitted: Bool {
        Self.isPermitted(commit, tally, scope)
    }

    static func isPermitted(_ commit: CommitSummary, _ tally: [ChangeTally], _ scope: ActivityScope) -> Bool {
        let principal = scope.principal
        guard mayKnow(of: commit, principal) else { return false }
        return tally.allSatisfy { part in
            // Undoing a change of an account would restore an old epoch, so that ended sessions and drafts would be
            // valid again.
            guard let schema = scope.schema(part.model), !schema.isBuiltIn else { return false }
            return principal.may(part.kind.inverse, part.model)
        }
    }

    private static func mayKnow(of commit: CommitSummary?, _ principal: Principal) -> Bool {
        principal.may(.activity) || commit?.author == principal.name
    }

    /// Undoes the commit.
    ///
    /// - Parameter id: The identifier of the new change set. It makes the undo idempotent.
    package func undo(as id: UUID = .version7()) async -> UndoOutcome {
        do {
            let receipt = try await history.undo(
                Undo(id: id, commit: commit.number, author: scope.principal.name, leaving: fixedProperties))
            return .undone(commit: receipt.commit, message: await message(of: receipt.commit))
        } catch {
            return await outcome(of: error)
        }
    }

    private func outcome(of error: StoreError) async -> UndoOutcome {
        switch error.reason {
        case .undoRefused(_, let obstacles):
            return .refused(await UndoObstacleFormatter.sentences(obstacles, in: scope, history: history))
        case .busy(let seconds):
            return .unavailable(
                message: localized("The server is busy. Try again in a moment."),
                retryAfter: seconds)
        case .outOfSpace:
            return .unavailable(
                message: localized(
                    "Not undone: the server’s disk is full. Ask the administrator to free up space."),
                retryAfter: 60)
        case .unanswered:
            return .unavailable(
                message: localized(
                    "Couldn’t confirm the undo. Reload the page to check."),
                retryAfter: 2)
        case .unavailable:
            return .unavailable(
                message: localized(
                    "Not undone: the server can’t save changes right now. Try again in a moment."),
                retryAfter: 2)
        case .stopped: return .stopped
        default:
            return .refused([
                UndoObstacleText(
                    localized("This step no longer fits the saved records. Open the records and change them by hand."))
            ])
        }
    }

    /// The properties of the changed models that the undo leaves unchanged.
    private var fixedProperties: [String: Set<String>] {
        var fixed: [String: Set<String>] = [:]
        for model in Set(tally.map(\.model)) {
            guard let schema = scope.schema(model) else { continue }
            let names = scope.principal.fixedProperties(of: schema)
            if !names.isEmpty { fixed[model] = names }
        }
        return fixed
    }

    /// Returns the message about the result.
    private func message(of commit: Int64) async -> String {
        // The undo is committed even if its result cannot be read.
        let running = await longChange(), summary = try? await history.commit(commit)
        let result =
            if let summary {
                try? await CommitResult(of: summary, in: scope, history: history, during: running)  // as above
            } else { CommitResult?.none }
        return result?.sentence ?? localized("Undone")
    }
}

extension RecordChange.Kind {
    /// The permission that is required to undo a change of this kind.
    var inverse: ModelAction {
        switch self {
        case .insert: .delete
        case .update, .link, .unlink: .edit
        case .delete: .add
        }
    }
}

/// The outcome of an undo.
package enum UndoOutcome: Sendable, Hashable {
    /// The commit was undone by a new commit.
    case undone(commit: Int64, message: String)
    /// The undo was refused because of conflicts. Nothing was changed.
    case refused([UndoObstacleText])
    /// A person stopped the undo before its commit. Nothing was changed.
    case stopped
    /// The store did not confirm a change. The undo can be retried.
    case unavailable(message: String, retryAfter: Int)
}

/// A conflict that blocks an undo, in words, and the address of a page that shows it.
package struct UndoObstacleText: Sendable, Hashable {
    package let sentence: String
    package let href: String?

    package init(_ sentence: String, href: String? = nil) {
        self.sentence = sentence
        self.href = href
    }
}

/// The page of an undo that a person stopped.
package struct UndoStoppedView: Component {
    let backHref: String

    package init(backHref: String) {
        self.backHref = backHref
    }

    package static var title: String { localized("Undo stopped") }
    package static var text: String { localized("Nothing was undone. All records are as they were before.") }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(Self.title)
        html.literal("</h1>")
        html.element("p", .role("status"), text: Self.text)
        html.element("a", .class("button primary"), .href(backHref), text: localized("Go back"))
        html.literal("</section>")
    }
}

/// The page with the conflicts that block an undo.
package struct UndoRefusalView: Component {
    let obstacles: [UndoObstacleText]
    let backHref: String

    package init(obstacles: [UndoObstacleText], backHref: String) {
        self.obstacles = obstacles
        self.backHref = backHref
    }

    package static var title: String { localized("Can’t undo this step") }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(Self.title)
        html.literal("</h1>")
        html.element(
            "p",
            text: localized(
                "Nothing was changed. Newer changes are never overwritten, and a step is undone completely or not at all."
            ))
        html.literal(#"<ul class="obstacles">"#)
        for obstacle in obstacles {
            html.element("li", Attribute("dir", "auto")) { html in
                if let href = obstacle.href {
                    html.element("a", .href(href), text: obstacle.sentence)
                } else {
                    html.text(obstacle.sentence)
                }
            }
        }
        html.literal("</ul>")
        html.element("a", .class("button primary"), .href(backHref), text: localized("Go back"))
        html.literal("</section>")
    }
}
