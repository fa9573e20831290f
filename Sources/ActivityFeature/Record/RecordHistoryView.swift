package import AviaryDesign
import AviaryDomain
import Foundation

/// The page of one record's history.
package struct RecordHistoryView: Component {
    let model: RecordHistoryViewModel
    let csrf: String
    let notices: [Notice]

    package init(model: RecordHistoryViewModel, csrf: String, notices: [Notice] = []) {
        self.model = model
        self.csrf = csrf
        self.notices = notices
    }

    package static func title(of model: RecordHistoryViewModel) -> String {
        localized(
            "History of \(model.title.map { TextFormatter.quoted($0) } ?? TextFormatter.withArticle(model.schema.singularName))"
        )
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title(of: model), count: nil, addTitle: "", addHref: nil))
        html.render(Breadcrumbs(links: trail))
        for notice in notices { html.render(notice) }
        if let message = model.errorMessage { html.render(Notice(.failure, message)) }
        guard let steps = model.steps, let words = model.words else { return }
        if model.policy.excludedModels.contains(model.schema.name) {
            html.render(Notice(.information, localized("History is no longer kept for \(model.schema.pluralName).")))
        }
        guard !steps.isEmpty else {
            return html.render(
                EmptyState(
                    title: localized("No history"),
                    text: localized(
                        "The history contains nothing about this \(model.schema.singularName)."),
                    actionTitle: nil, actionHref: nil
                ))
        }
        html.render(
            ActivityList(days: ActivityDays.days(steps.map { ($0.story.commit.time, entry($0, words)) }, at: model.now))
        )
        html.render(
            PageFooter(
                summary: localized(steps.count, one: "1 step", other: "\(steps.count) steps"),
                previousHref: model.before == nil ? nil : here, previousTitle: localized("Newest"),
                nextHref: model.next.map { here + "&before=\($0)" }, nextTitle: localized("Older")
            ))
    }

    private var here: String { ActivityPaths.history(of: model.record, in: model.schema) }

    private var trail: [Breadcrumbs.Step] {
        var steps = [Breadcrumbs.Step(localized("Activity"), href: ActivityPaths.all)]
        guard !model.schema.isBuiltIn else { return steps }
        steps.append(.init(model.schema.pluralTitle, href: ModelPaths(model.schema).list))
        if model.exists {
            steps.append(.init(model.title ?? localized("Open"), href: ModelPaths(model.schema).record(model.record)))
        }
        return steps
    }

    private func entry(_ step: RecordHistoryViewModel.Step, _ words: ChangeFormatter) -> ActivityEntry {
        let others = step.story.count - 1
        var actions: [PanelAction] = []
        if model.canRestore(step) {
            actions.append(
                .link(
                    title: localized("Edit with these values…"),
                    href: ActivityPaths.earlier(model.record, in: model.schema, after: step.change.number)
                ))
        }
        if step.story.canUndo { actions.append(step.story.undo(csrf: csrf, back: here)) }
        let commit = step.story.commit
        return ActivityEntry(
            person: .init(
                TextFormatter.author(commit.author),
                href: ActivityPaths.all.withQuery(ActivityQuery().with { $0.person = commit.author }.text)),
            time: .init(commit.time, at: model.now),
            sentence: .init(step.change.kind.verb, href: ActivityPaths.commit(commit.number)),
            differences: [words.difference(step.change, fields: .max)].compactMap(\.self),
            rest: others > 0 || step.story.isCapped
                ? .init(
                    step.story.isCapped
                        ? localized("together with many others")
                        : localized(
                            others, one: "together with 1 other change", other: "together with \(others) other changes"),
                    href: ActivityPaths.commit(commit.number)
                ) : nil,
            remark: step.story.remark, isUndone: step.story.isUndone, actions: actions
        )
    }
}
