import AviaryLocalization

/// Something went wrong: what, and the way back.
package struct ErrorPage: Sendable, Component {
    let title: String
    let text: String
    let actionTitle: String
    let actionHref: String
    let reference: String?

    package init(title: String, text: String, actionTitle: String, actionHref: String, reference: String?) {
        self.title = title
        self.text = text
        self.actionTitle = actionTitle
        self.actionHref = actionHref
        self.reference = reference
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        html.element("p", Attribute("dir", "auto"), text: text)
        html.element("a", .class("button primary"), .href(actionHref), text: actionTitle)
        if let reference {
            html.literal(#"<p class="reference">"#)
            html.text(localized("Reference"))
            html.literal(#" <code>"#)
            html.text(reference)
            html.literal("</code></p>")
        }
        html.literal("</section>")
    }
}
