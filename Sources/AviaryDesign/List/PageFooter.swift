import AviaryLocalization

/// Where in the list one is, and the way to the pages around.
package struct PageFooter: Sendable, Component {
    let summary: String
    let previousHref: String?
    let previousTitle: String
    let nextHref: String?
    let nextTitle: String

    package init(
        summary: String, previousHref: String?, previousTitle: String = localized("Previous"), nextHref: String?,
        nextTitle: String = localized("Next")
    ) {
        self.summary = summary
        self.previousHref = previousHref
        self.previousTitle = previousTitle
        self.nextHref = nextHref
        self.nextTitle = nextTitle
    }

    package func render(into html: inout HTML) {
        html.literal(#"<nav class="page-footer" aria-label=""#)
        html.text(localized("Pages"))
        html.literal(#""><span data-summary>"#)
        html.text(summary)
        html.literal("</span>")
        if let previousHref {
            html.element("a", .class("button"), .href(previousHref), Attribute("rel", "prev")) { html in
                html.render(Icon.previous)
                html.text(previousTitle)
            }
        }
        if let nextHref {
            html.element("a", .class("button"), .href(nextHref), Attribute("rel", "next")) { html in
                html.text(nextTitle)
                html.render(Icon.next)
            }
        }
        html.literal("</nav>")
    }
}
