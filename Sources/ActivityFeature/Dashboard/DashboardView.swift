package import AviaryDesign
import AviaryDomain
import Foundation

/// The page of the overview.
package struct DashboardView: Component {
    let model: DashboardViewModel
    let banners: [DraftBanner]

    package init(model: DashboardViewModel, banners: [DraftBanner] = []) {
        self.model = model
        self.banners = banners
    }

    package static var title: String { localized("Overview") }

    package func render(into html: inout HTML) {
        html.render(DraftList(banners))
        if let health = model.health, health.store == nil {
            html.render(
                Notice(
                    .warning,
                    localized(
                        "The server can’t save changes right now. This page shows the last saved state."
                    )))
        }
        html.render(Dashboard(cards: cards))
        html.literal(#"<div class="board">"#)
        if let chart { html.render(chart) }
        for chart in shares { html.render(chart) }
        if let recent = model.recent, let words = model.words { html.render(recentActivity(recent, words)) }
        if model.principal.may(.backups), let health = model.health {
            html.render(HealthPanelText(health: health, now: model.now).panel)
        }
        html.literal("</div>")
        asOf(into: &html)
    }

    private var cards: [DashboardCard] {
        model.totals.map { total in
            let paths = ModelPaths(total.schema), mayAdd = model.principal.may(.add, total.schema.name)
            return DashboardCard(
                title: total.schema.pluralTitle, href: paths.list, count: total.count,
                addHref: mayAdd ? paths.startingOver() : nil,
                addTitle: localized("Add \(total.schema.singularName)")
            )
        }
    }

    private var chart: DayChart? {
        guard let days = model.changesByDay else { return nil }
        let sum = days.map(\.count).reduce(0, +)
        let period = min(days.count, model.historyDays)
        let most = days.max { $0.count < $1.count }
        let summary =
            sum == 0
            ? localized("No changes in the last \(period) days.")
            : localized(
                sum,
                one: "1 change in the last \(period) days, on \(DateTextFormatter.day(most?.day ?? "")).",
                other:
                    "\(sum) changes in the last \(period) days, most on \(DateTextFormatter.day(most?.day ?? "")) (\(most?.count ?? 0))."
            )
        return DayChart(
            title: localized("Changes"), summary: summary, unit: localized("Changes"),
            days: days.map { DayChart.Day(title: DateTextFormatter.day($0.day), count: $0.count) }
        )
    }

    private var shares: [ShareChart] {
        model.distributions.compactMap { distribution in
            guard let total = model.totals.first(where: { $0.schema.name == distribution.model }) else { return nil }
            let property = distribution.property
            let choices = property.type.choices ?? []
            var shares = distribution.counts.map { counted in
                ShareChart.Share(
                    title: property.choiceLabel(of: counted.value)
                        ?? (counted.value.isNull ? localized("None") : counted.value.formText),
                    count: counted.count, hue: choices.firstIndex(of: counted.value.formText) ?? 7
                )
            }
            let others = (total.count ?? 0) - distribution.counts.map(\.count).reduce(0, +)
            if distribution.counts.count == DashboardStatistics.mostValues, others > 0 {
                shares.append(ShareChart.Share(title: localized("Other"), count: others, hue: 7))
            }
            return ShareChart(
                title: localized("\(total.schema.pluralTitle) by \(property.labelInSentence)"),
                href: ModelPaths(total.schema).list, shares: shares
            )
        }
    }

    private func recentActivity(_ stories: [VisibleCommit], _ words: ChangeFormatter) -> RecentActivity {
        RecentActivity(
            lines: stories.map { story in
                RecentActivity.Line(
                    sentence: .init(story.sentence(words), href: ActivityPaths.commit(story.commit.number)),
                    person: TextFormatter.author(story.commit.author),
                    time: .init(
                        shown: DateTextFormatter.age(of: story.commit.time, at: model.now),
                        machine: story.commit.time.rfc3339 ?? ""
                    )
                )
            }, allHref: ActivityPaths.all
        )
    }

    private func asOf(into html: inout HTML) {
        guard let figures = model.figures else {
            return html.element(
                "p", .class("fine-print"),
                text: localized("Calculating figures. Reload the page in a moment."))
        }
        html.element(
            "p", .class("fine-print"),
            text: localized(
                "Charts updated \(DateTextFormatter.age(of: figures.time, at: model.now)). Totals and recent changes are live."
            )
        )
    }
}
