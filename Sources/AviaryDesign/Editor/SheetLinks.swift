import AviaryLocalization

/// Ways on from a record's sheet: to its history, to a copy of it, to its end.
package struct SheetLinks: Sendable, Component {
    package struct Link: Sendable {
        package let title: String
        package let href: String
        let isDestructive: Bool
        /// Sends the form there, where there is one.
        var button: SheetButton?

        package init(_ title: String, href: String, isDestructive: Bool = false) {
            self.title = title
            self.href = href
            self.isDestructive = isDestructive
        }
    }

    private var links: [Link]

    package init(_ links: [Link] = []) {
        self.links = links
    }

    /// The same from a form: what is typed into it waits. A link to which there is no such button stays one.
    package func leaving(by button: (Link) -> SheetButton?) -> SheetLinks {
        var leaving = self
        for index in leaving.links.indices { leaving.links[index].button = button(leaving.links[index]) }
        return leaving
    }

    package func render(into html: inout HTML) {
        guard !links.isEmpty else { return }
        html.literal(#"<nav class="sheet-links" aria-label=""#)
        html.text(localized("More about this record"))
        html.literal(#"">"#)
        for link in links {
            if let button = link.button {
                button.render(into: &html, class: link.isDestructive ? "destructive" : nil)
            } else {
                html.element(
                    "a", Attribute("class", link.isDestructive ? "destructive" : nil), .href(link.href),
                    text: link.title)
            }
        }
        html.literal("</nav>")
    }
}
