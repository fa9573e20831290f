import AviaryLocalization

/// How something is divided: a bar for the eye, above the table that it draws.
package struct ShareChart: Sendable, Component {
    package struct Share: Sendable {
        let title: String
        let count: Int
        /// A place on the palette, 0 to 7.
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
        for share in shares { row(share, into: &html) }
        html.literal("</tbody></table></figure>")
    }

    private func row(_ share: Share, into html: inout HTML) {
        html.literal(#"<tr><th scope="row"><span class="choice hue-"#)
        html.text(share.hue & 7)
        html.literal(#""><bdi>"#)
        html.text(share.title)
        html.literal(#"</bdi></span></th><td class="number">"#)
        html.grouped(share.count)
        html.literal(#"</td><td class="number">"#)
        html.text(Self.percent(share.count, of: total))
        html.literal("</td></tr>")
    }

    /// Without overflow, however many there are.
    private static func place(_ count: Int, of total: Int) -> Int { Int(Double(count) / Double(total) * Double(width)) }

    private static func percent(_ count: Int, of total: Int) -> String {
        let share = Double(count) / Double(total) * 100
        if count > 0, share < 1 { return "< 1 %" }
        if count < total, share > 99 { return "> 99 %" }
        return "\(Int(share.rounded())) %"
    }
}
