import AviaryLocalization

/// Ways on from a record's sheet: to its history, to a copy of it.
package struct SheetLinks: Sendable, Component {
    package struct Link: Sendable {
        let title: String
        let href: String

        package init(_ title: String, href: String) {
            self.title = title
            self.href = href
        }
    }

    let links: [Link]

    package init(_ links: [Link] = []) {
        self.links = links
    }

    package func render(into html: inout HTML) {
        guard !links.isEmpty else { return }
        html.literal(#"<nav class="sheet-links" aria-label=""#)
        html.text(localized("More about this record"))
        html.literal(#"">"#)
        for link in links { html.element("a", .href(link.href), text: link.title) }
        html.literal("</nav>")
    }
}
