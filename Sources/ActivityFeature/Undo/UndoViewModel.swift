package import AviaryDesign
package import AviaryDomain
import AviaryLocalization
package import Foundation

/// A commit that somebody wants to take back.
package struct UndoViewModel: Sendable {
    package let commit: CommitSummary
    /// All that it did, whether it may be seen or not.
    let tally: [ChangeTally]
    let scope: ActivityScope
    let history: any HistoryRepository

    /// - Throws: ``AccessRefusal``: `forbidden` where it is not one's own, or does not exist, and the principal may not
    ///   see what others did; else `hidden` when there is no such commit, or nothing in it may be seen; `forbidden` where
    ///   the principal may not do what taking it back does; `ReadError`.
    package init(commit number: Int64, scope: ActivityScope, history: any HistoryRepository) async throws {
        let found = try await history.commit(number)
        // Another answer for some of them would tell what others did.
        guard Self.mayKnow(of: found, scope.principal) else { throw AccessRefusal.forbidden }
        guard let commit = found else { throw AccessRefusal.hidden }
        let tally = try await history.tally(of: number, limit: nil)
        guard tally.contains(where: { scope.models.contains($0.model) }) else { throw AccessRefusal.hidden }
        self.commit = commit
        self.tally = tally
        self.scope = scope
        self.history = history
        guard isPermitted else { throw AccessRefusal.forbidden }
    }

    /// Whether its principal may do what taking it back does, to all of its records. One's own may be taken back by whoever
    /// may do that; others' only by whoever may see what they did.
    private var isPermitted: Bool {
        Self.isPermitted(commit, tally, scope)
    }

    static func isPermitted(_ commit: CommitSummary, _ tally: [ChangeTally], _ scope: ActivityScope) -> Bool {
        let principal = scope.principal
        guard mayKnow(of: commit, principal) else { return false }
        return tally.allSatisfy { part in
            // An account that is as it was has an epoch that is over: sessions and drafts of it would be good again.
            guard let schema = scope.schema(part.model), !schema.isBuiltIn else { return false }
            return principal.may(part.kind.inverse, part.model)
        }
    }

    private static func mayKnow(of commit: CommitSummary?, _ principal: Principal) -> Bool {
        principal.may(.activity) || commit?.author == principal.name
    }

    /// - Parameter id: Of the change set that it becomes: the same again does nothing twice.
    package func undo(as id: UUID = .version7()) async -> UndoOutcome {
        do {
            let receipt = try await history.undo(
                Undo(id: id, commit: commit.number, author: scope.principal.name, leaving: fixedProperties))
            return .undone(commit: receipt.commit, message: await message(of: receipt.commit))
        } catch .undoRefused(_, let obstacles) {
            return .refused(await UndoObstacleWords.sentences(obstacles, in: scope, history: history))
        } catch .busy(let seconds) {
            return .unavailable(
                message: localized("The store has more to do than it can take in. Try again in a moment."),
                retryAfter: seconds)
        } catch .outOfSpace {
            return .unavailable(
                message: localized(
                    "The server's disk is full, so nothing was taken back. Try again when there is room."),
                retryAfter: 60)
        } catch .unanswered {
            return .unavailable(
                message: localized(
                    "The store did not answer, so it is not known whether this was taken back. Reload the page to see."),
                retryAfter: 2)
        } catch .unavailable {
            return .unavailable(
                message: localized(
                    "The store takes no changes at the moment, so nothing was taken back. Try again shortly."),
                retryAfter: 2)
        } catch {
            return .refused([
                UndoObstacleText(
                    localized("It does not fit what is stored now. Look at the records, and change them by hand."))
            ])
        }
    }

    /// What stays as it is, in the models that it changed.
    private var fixedProperties: [String: Set<String>] {
        var fixed: [String: Set<String>] = [:]
        for model in Set(tally.map(\.model)) {
            guard let schema = scope.schema(model) else { continue }
            let names = scope.principal.fixedProperties(of: schema)
            if !names.isEmpty { fixed[model] = names }
        }
        return fixed
    }

    /// What is so now.
    private func message(of commit: Int64) async -> String {
        // It is done, whether it can be read or not.
        let summary = try? await history.commit(commit)
        let result =
            if let summary { try? await CommitResult(of: summary, in: scope, history: history) } else {
                CommitResult?.none
            }
        return result?.sentence ?? localized("It is taken back.")
    }
}

extension RecordChange.Kind {
    /// What one has to be allowed to take such a change back.
    var inverse: ModelAction {
        switch self {
        case .insert: .delete
        case .update, .link, .unlink: .edit
        case .delete: .add
        }
    }
}

/// What became of a wish to take something back.
package enum UndoOutcome: Sendable, Hashable {
    /// Done, by a commit of its own.
    case undone(commit: Int64, message: String)
    /// Nothing was changed: what stands against it.
    case refused([UndoObstacleText])
    /// Nothing is known to be changed, and it can be tried again.
    case unavailable(message: String, retryAfter: Int)
}

/// What stands against taking something back, in words, and where one can see it.
package struct UndoObstacleText: Sendable, Hashable {
    package let sentence: String
    package let href: String?

    package init(_ sentence: String, href: String? = nil) {
        self.sentence = sentence
        self.href = href
    }
}

/// A page that says what stands against taking something back.
package struct UndoRefusalView: Component {
    let obstacles: [UndoObstacleText]
    let backHref: String

    package init(obstacles: [UndoObstacleText], backHref: String) {
        self.obstacles = obstacles
        self.backHref = backHref
    }

    package static var title: String { localized("This cannot be taken back") }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(Self.title)
        html.literal("</h1>")
        html.element(
            "p",
            text: localized(
                "Nothing was changed: newer work is never overwritten. It is taken back as a whole or not at all."))
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
