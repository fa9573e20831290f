package import AviaryDesign
package import AviaryDomain
import Foundation

/// The view model of one commit with all changes that a user is allowed to see.
package struct CommitViewModel: Sendable {
    package let story: VisibleCommit
    let words: ChangeFormatter
    let scope: ActivityScope
    let after: Int64?
    /// The position where the next page begins.
    let next: Int64?

    private static let pageSize = 50

    /// Reads a page of the commit's changes.
    ///
    /// - Parameters:
    ///   - number: The number of the last change on the previous page.
    ///   - longChange: The large change under way, read before this call; nil if there is none.
    /// - Throws: ``AccessError``: `hidden` if there is no such commit or none of its changes is visible;
    ///   `ReadError`.
    package init(
        _ commit: Int64, after number: Int64?, scope: ActivityScope, history: any HistoryRepository,
        during longChange: LongChangeStatus? = nil
    ) async throws {
        try scope.principal.check(.activity)
        guard let summary = try await history.commit(commit) else { throw AccessError.hidden }
        let all = try await history.tally(of: commit, during: longChange)
        let visible = all.filter { scope.models.contains($0.model) }
        guard !visible.isEmpty else { throw AccessError.hidden }
        let changes = try await history.changes(
            of: commit, models: scope.models, after: number, limit: Self.pageSize + 1)
        next = changes.count > Self.pageSize ? changes.prefix(Self.pageSize).last?.number : nil
        story = VisibleCommit(
            summary, tally: visible, changes: Array(changes.prefix(Self.pageSize)), isCapped: false,
            isUndone: try await history.undoneCommits(of: [commit]).contains(commit),
            isOutdated: try await commit <= history.undoBarrier(),
            isPermitted: UndoViewModel.isPermitted(summary, all, scope)
        )
        words = try await ChangeFormatter(story.changes, in: scope, history: history)
        after = number
        self.scope = scope
    }
}

/// The page of one commit.
package struct CommitView: Component {
    let model: CommitViewModel
    let csrf: String
    let notices: [Notice]

    package init(model: CommitViewModel, csrf: String, notices: [Notice] = []) {
        self.model = model
        self.csrf = csrf
        self.notices = notices
    }

    package static func title(of model: CommitViewModel) -> String { model.story.sentence(model.words) }

    private var commit: CommitSummary { model.story.commit }
    private var here: String { ActivityPaths.commit(commit.number) }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title(of: model), count: nil, addTitle: "", addHref: nil))
        html.render(Breadcrumbs(links: [.init(localized("Activity"), href: ActivityPaths.all)]))
        for notice in notices { html.render(notice) }
        html.literal(#"<div class="panels">"#)
        html.render(Panel(title: localized("Step \(Int(commit.number))"), facts: facts, actions: actions))
        html.literal("</div>")
        html.literal(#"<section class="differences"><h2>"#)
        html.text(localized("Changes"))
        html.literal(#"</h2>"#)
        for change in model.story.changes {
            if let difference = model.words.difference(change, fields: .max) { html.render(difference) }
        }
        html.literal("</section>")
        guard model.after != nil || model.next != nil else { return }
        html.render(
            PageFooter(
                summary: localized("\(model.story.changes.count) of \(model.story.count) changes"),
                previousHref: model.after == nil ? nil : here, previousTitle: localized("First page"),
                nextHref: model.next.map { here + "?after=\($0)" }
            ))
    }

    private var facts: [Fact] {
        var facts = [
            Fact(localized("Person"), TextFormatter.author(commit.author)),
            Fact(localized("Time"), DateTextFormatter.dateAndTime(commit.time.rfc3339 ?? "")),
            Fact(localized("Changes"), TextFormatter.grouped(model.story.count)),
        ]
        if let undone = commit.undoes { facts.append(Fact(localized("Undoes"), localized("step \(Int(undone))"))) }
        if let obstacle = model.story.undoObstacle { facts.append(Fact(localized("Undo"), obstacle)) }
        if model.story.isUndone { facts.append(Fact(localized("Undone"), localized("Yes"))) }
        return facts
    }

    private var actions: [PanelAction] {
        var actions: [PanelAction] = []
        if let undone = commit.undoes {
            actions.append(.link(title: localized("Show undone step"), href: ActivityPaths.commit(undone)))
        }
        if model.story.canUndo { actions.append(model.story.undo(csrf: csrf, back: here)) }
        return actions
    }
}
