/// Where in the list one is, and the way to the pages around.
package struct PageFooter: Sendable, Component {
    let summary: String
    let previousHref: String?
    let nextHref: String?

    package init(summary: String, previousHref: String?, nextHref: String?) {
        self.summary = summary
        self.previousHref = previousHref
        self.nextHref = nextHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<nav class="page-footer" aria-label="Pages"><span data-summary>"#)
        html.text(summary)
        html.literal("</span>")
        if let previousHref {
            html.element("a", .class("button"), .href(previousHref), Attribute("rel", "prev")) { html in
                html.render(Icon.previous)
                html.literal("Previous")
            }
        }
        if let nextHref {
            html.element("a", .class("button"), .href(nextHref), Attribute("rel", "next")) { html in
                html.literal("Next")
                html.render(Icon.next)
            }
        }
        html.literal("</nav>")
    }
}
