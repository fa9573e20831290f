import AviaryLocalization

/// The header of a list: the title, the number of records, and the link to add one.
package struct ListHeader: Sendable, Component {
    let title: String
    let count: Int?
    /// The number of matching records as text; nil without a search.
    let matches: String?
    let addTitle: String
    /// The address of the new record's sheet; nil without permission to add.
    let addHref: String?

    package init(title: String, count: Int?, matches: String? = nil, addTitle: String, addHref: String?) {
        self.title = title
        self.count = count
        self.matches = matches
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
            if let matches {
                html.literal(#"" data-matching>"#)
                html.text(localized("\(matches) of \(NumberText.grouped(count))"))
            } else {
                html.literal(#"">"#)
                html.grouped(count)
            }
            html.literal("</span>")
        }
        if let addHref { html.element("a", .class("button primary"), .href(addHref), text: addTitle) }
        html.literal("</header>")
    }
}

/// The position in the list, with links to the adjacent pages.
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
