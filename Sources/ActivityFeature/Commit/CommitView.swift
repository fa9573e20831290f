package import AviaryDesign
import AviaryDomain
import Foundation

/// One commit as a page.
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
        html.render(Trail(links: [.init("Activity", href: ActivityPaths.all)]))
        for notice in notices { html.render(notice) }
        html.literal(#"<div class="panels">"#)
        html.render(Panel(title: "Step \(Words.grouped(Int(commit.number)))", facts: facts, actions: actions))
        html.literal("</div>")
        html.literal(#"<section class="differences"><h2>What was done</h2>"#)
        for change in model.story.changes {
            if let difference = model.words.difference(change, fields: .max) { html.render(difference) }
        }
        html.literal("</section>")
        guard model.after != nil || model.next != nil else { return }
        html.render(PageFooter(
            summary: "\(model.story.changes.count) of \(Words.grouped(model.story.count)) changes",
            previousHref: model.after == nil ? nil : here, previousTitle: "First",
            nextHref: model.next.map { here + "?after=\($0)" }
        ))
    }

    private var facts: [Fact] {
        var facts = [
            Fact("Who", commit.author), Fact("When", DateWords.dateAndTime(commit.time.rfc3339 ?? "")),
            Fact("Changes", Words.grouped(model.story.count)),
        ]
        if let undone = commit.undoes { facts.append(Fact("Takes back", "step \(Words.grouped(Int(undone)))")) }
        return facts
    }

    private var actions: [PanelAction] {
        var actions: [PanelAction] = []
        if let undone = commit.undoes { actions.append(.link(title: "What it takes back", href: ActivityPaths.commit(undone))) }
        if model.story.canUndo { actions.append(model.story.undo(csrf: csrf, back: here)) }
        return actions
    }
}
