import AviaryLocalization

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
