import AviaryLocalization

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
