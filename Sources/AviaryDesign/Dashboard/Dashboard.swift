import AviaryLocalization

/// The overview, with a card for every kind of record.
package struct Dashboard: Sendable, Component {
    let title: String
    let cards: [DashboardCard]

    package init(title: String = localized("Overview"), cards: [DashboardCard]) {
        self.title = title
        self.cards = cards
    }

    package func render(into html: inout HTML) {
        html.literal(#"<header class="list-header"><h1>"#)
        html.text(title)
        html.literal(#"</h1></header><div class="cards">"#)
        for card in cards { html.render(card) }
        html.literal("</div>")
    }
}

/// A card of the overview for one kind of record.
package struct DashboardCard: Sendable, Component {
    let title: String
    let href: String
    let count: Int?
    let addHref: String?
    let addTitle: String?

    package init(title: String, href: String, count: Int?, addHref: String?, addTitle: String?) {
        self.title = title
        self.href = href
        self.count = count
        self.addHref = addHref
        self.addTitle = addTitle
    }

    package func render(into html: inout HTML) {
        html.literal(#"<article class="card"><h2>"#)
        html.element("a", .href(href), text: title)
        html.literal("</h2>")
        if let count {
            html.literal(#"<p class="count">"#)
            html.grouped(count)
            html.literal("</p>")
        }
        if let addHref, let addTitle {
            html.element("a", .class("add"), .href(addHref)) { html in
                html.render(Icon.plus)
                html.text(addTitle)
            }
        }
        html.literal("</article>")
    }
}

/// The latest changes, one line each.
package struct RecentActivity: Sendable, Component {
    package struct Line: Sendable {
        let sentence: ActivityEntry.Link
        let person: String
        let time: ActivityEntry.Time

        package init(sentence: ActivityEntry.Link, person: String, time: ActivityEntry.Time) {
            self.sentence = sentence
            self.person = person
            self.time = time
        }
    }

    let lines: [Line]
    let allHref: String

    package init(lines: [Line], allHref: String) {
        self.lines = lines
        self.allHref = allHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="panel recent"><h2>"#)
        html.text(localized("Recent changes"))
        html.literal(#"</h2>"#)
        if lines.isEmpty { html.element("p", text: localized("No activity yet.")) }
        if !lines.isEmpty {
            html.literal("<ul>")
            for line in lines {
                html.literal("<li>")
                html.render(line.sentence)
                html.literal(#" <span class="detail"><bdi>"#)
                html.text(line.person)
                html.literal("</bdi>, ")
                html.render(line.time)
                html.literal("</span></li>")
            }
            html.literal("</ul>")
            html.element("a", .class("alternative"), .href(allHref), text: localized("Show all activity"))
        }
        html.literal("</section>")
    }
}

/// A bar chart of counts per day, with a table of the same numbers.
package struct DayChart: Sendable, Component {
    package struct Day: Sendable {
        let title: String
        let count: Int

        package init(title: String, count: Int) {
            self.title = title
            self.count = count
        }
    }

    let title: String
    /// A sentence that summarizes the bars.
    let summary: String
    let unit: String
    let days: [Day]

    package init(title: String, summary: String, unit: String, days: [Day]) {
        self.title = title
        self.summary = summary
        self.unit = unit
        self.days = days
    }

    private static let height = 64

    package func render(into html: inout HTML) {
        html.literal(#"<figure class="chart days"><figcaption><h2>"#)
        html.text(title)
        html.literal("</h2>")
        html.element("p", text: summary)
        html.literal("</figcaption>")
        bars(into: &html)
        html.element("div", .class("axis"), Attribute("aria-hidden", "true")) { html in
            html.element("span", text: days.first?.title ?? "")
            html.element("span", text: days.last?.title ?? "")
        }
        table(into: &html)
        html.literal("</figure>")
    }

    private func bars(into html: inout HTML) {
        let most = max(1, days.map(\.count).max() ?? 1)
        html.literal(#"<svg viewBox="0 0 "#)
        html.text(days.count * 10)
        html.literal(#" 64" preserveAspectRatio="none" aria-hidden="true">"#)
        for (index, day) in days.enumerated() {
            // A bar for a positive count is at least 3 units high, so it is visible beside much larger counts.
            let height = day.count == 0 ? 1 : max(3, Int(Double(day.count) / Double(most) * Double(Self.height)))
            html.literal(day.count == 0 ? #"<rect class="none" x=""# : #"<rect x=""#)
            html.text(index * 10 + 1)
            html.literal(#"" y=""#)
            html.text(Self.height - height)
            html.literal(#"" width="8" height=""#)
            html.text(height)
            html.literal(#""/>"#)
        }
        html.literal("</svg>")
    }

    private func table(into html: inout HTML) {
        html.literal(#"<details class="figures"><summary>"#)
        html.text(localized("Show as table"))
        html.literal(#"</summary><table><thead><tr><th scope="col">"#)
        html.text(localized("Day"))
        html.literal(#"</th><th scope="col">"#)
        html.text(unit)
        html.literal("</th></tr></thead><tbody>")
        for day in days.reversed() {
            html.literal(#"<tr><th scope="row">"#)
            html.text(day.title)
            html.literal(#"</th><td class="number">"#)
            html.grouped(day.count)
            html.literal("</td></tr>")
        }
        html.literal("</tbody></table></details>")
    }
}

/// A stacked bar of shares, above the table of its numbers.
package struct ShareChart: Sendable, Component {
    package struct Share: Sendable {
        let title: String
        let count: Int
        /// The index of the colour in the palette, 0 to 7.
        let hue: Int

        package init(title: String, count: Int, hue: Int) {
            self.title = title
            self.count = count
            self.hue = hue
        }
    }

    let title: String
    let href: String
    let shares: [Share]

    package init(title: String, href: String, shares: [Share]) {
        self.title = title
        self.href = href
        self.shares = shares
    }

    private static let width = 1000

    private var total: Int { max(1, shares.map(\.count).reduce(0, +)) }

    package func render(into html: inout HTML) {
        html.literal(#"<figure class="chart shares"><figcaption><h2>"#)
        html.element("a", .href(href), text: title)
        html.literal(#"</h2></figcaption><svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">"#)
        var sum = 0
        for share in shares where share.count > 0 {
            let start = Self.place(sum, of: total), end = Self.place(sum + share.count, of: total)
            sum += share.count
            html.literal(#"<rect class="hue-"#)
            html.text(share.hue & 7)
            html.literal(#"" x=""#)
            html.text(start)
            html.literal(#"" y="0" height="10" width=""#)
            html.text(max(end - start - 3, 2))
            html.literal(#""/>"#)
        }
        html.literal(#"</svg><table><thead class="spoken"><tr><th scope="col">"#)
        html.text(localized("Value"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("Records"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("Share"))
        html.literal(#"</th></tr></thead><tbody>"#)
        for (share, percent) in zip(shares, Self.percents(shares.map(\.count))) { row(share, percent, into: &html) }
        html.literal("</tbody></table></figure>")
    }

    private func row(_ share: Share, _ percent: Int, into html: inout HTML) {
        html.literal(#"<tr><th scope="row"><span class="choice hue-"#)
        html.text(share.hue & 7)
        html.literal(#""><bdi>"#)
        html.text(share.title)
        html.literal(#"</bdi></span></th><td class="number">"#)
        html.grouped(share.count)
        html.literal(#"</td><td class="number">"#)
        html.text(words(share.count, percent))
        html.literal("</td></tr>")
    }

    /// Returns the position of a count on the bar. The floating-point division avoids an overflow for large counts.
    private static func place(_ count: Int, of total: Int) -> Int { Int(Double(count) / Double(total) * Double(width)) }

    private func words(_ count: Int, _ percent: Int) -> String {
        let share = Double(count) / Double(total) * 100
        if count > 0, share < 1 { return "< " + localized("\(1)%") }
        if count < total, share > 99 { return "> " + localized("\(99)%") }
        return localized("\(percent)%")
    }

    /// Returns the percentages, each rounded to the nearest whole number and halves up.
    ///
    /// They may add up to 99 or 101. An adjustment to 100 would show a share with a number that is not its own: 7 of
    /// 15 beside 4 and 4 as 46%.
    static func percents(_ counts: [Int]) -> [Int] {
        let total = counts.reduce(0, +)
        guard total > 0 else { return counts.map { _ in 0 } }
        // The multiplication precedes the division, because a half is exact only then.
        return counts.map { Int((Double($0) * 100 / Double(total)).rounded()) }
    }
}
