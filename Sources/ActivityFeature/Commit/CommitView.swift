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
        html.render(Trail(links: [.init(localized("Activity"), href: ActivityPaths.all)]))
        for notice in notices { html.render(notice) }
        html.literal(#"<div class="panels">"#)
        html.render(Panel(title: localized("Step \(Int(commit.number))"), facts: facts, actions: actions))
        html.literal("</div>")
        html.literal(#"<section class="differences"><h2>"#)
        html.text(localized("What was done"))
        html.literal(#"</h2>"#)
        for change in model.story.changes {
            if let difference = model.words.difference(change, fields: .max) { html.render(difference) }
        }
        html.literal("</section>")
        guard model.after != nil || model.next != nil else { return }
        html.render(
            PageFooter(
                summary: localized("\(model.story.changes.count) of \(model.story.count) changes"),
                previousHref: model.after == nil ? nil : here, previousTitle: localized("First"),
                nextHref: model.next.map { here + "?after=\($0)" }
            ))
    }

    private var facts: [Fact] {
        var facts = [
            Fact(localized("Who"), Words.author(commit.author)),
            Fact(localized("When"), DateWords.dateAndTime(commit.time.rfc3339 ?? "")),
            Fact(localized("Changes"), Words.grouped(model.story.count)),
        ]
        if let undone = commit.undoes { facts.append(Fact(localized("Takes back"), localized("step \(Int(undone))"))) }
        return facts
    }

    private var actions: [PanelAction] {
        var actions: [PanelAction] = []
        if let undone = commit.undoes {
            actions.append(.link(title: localized("What it takes back"), href: ActivityPaths.commit(undone)))
        }
        if model.story.canUndo { actions.append(model.story.undo(csrf: csrf, back: here)) }
        return actions
    }
}
