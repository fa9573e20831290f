/// One kind of record on the overview.
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
