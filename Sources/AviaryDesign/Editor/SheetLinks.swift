import AviaryLocalization

/// Ways on from a record's sheet: to its history, to a copy of it, to its end.
package struct SheetLinks: Sendable, Component {
    package struct Link: Sendable {
        let title: String
        let href: String
        let isDestructive: Bool

        package init(_ title: String, href: String, isDestructive: Bool = false) {
            self.title = title
            self.href = href
            self.isDestructive = isDestructive
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
        for link in links { html.element("a", Attribute("class", link.isDestructive ? "destructive" : nil), .href(link.href), text: link.title) }
        html.literal("</nav>")
    }
}
