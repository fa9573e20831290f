/// A list without rows: what it is for, and the first step.
package struct EmptyState: Sendable, Component {
    let title: String
    let text: String
    let actionTitle: String?
    let actionHref: String?

    package init(title: String, text: String, actionTitle: String?, actionHref: String?) {
        self.title = title
        self.text = text
        self.actionTitle = actionTitle
        self.actionHref = actionHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="empty"><span class="mark"></span>"#)
        html.element("h2", text: title)
        html.element("p", text: text)
        if let actionTitle, let actionHref {
            html.element("a", .class("button primary"), .href(actionHref), text: actionTitle)
        }
        html.literal("</section>")
    }
}
