/// The list's name, how many there are, and the way to one more.
package struct ListHeader: Sendable, Component {
    let title: String
    let count: Int?
    let addTitle: String
    /// Nil where nothing may be added.
    let addHref: String?

    package init(title: String, count: Int?, addTitle: String, addHref: String?) {
        self.title = title
        self.count = count
        self.addTitle = addTitle
        self.addHref = addHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<header class="list-header"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        if let count {
            html.literal(#"<span class="count" data-count=""#)
            html.text(count)
            html.literal(#"">"#)
            html.grouped(count)
            html.literal("</span>")
        }
        if let addHref { html.element("a", .class("button primary"), .href(addHref), text: addTitle) }
        html.literal("</header>")
    }
}
