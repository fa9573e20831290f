import AviaryLocalization

/// A record in a dialog for somebody who may look at it and no more.
package struct RecordSheet: Sendable, Component {
    let title: String
    let subtitle: String?
    let fields: [Field]
    let closeHref: String
    let links: SheetLinks

    package init(title: String, subtitle: String?, fields: [Field], closeHref: String, links: SheetLinks = SheetLinks())
    {
        self.title = title
        self.subtitle = subtitle
        self.fields = fields
        self.closeHref = closeHref
        self.links = links
    }

    package func render(into html: inout HTML) {
        html.literal(#"<header class="sheet-header"><span></span><div class="sheet-title"><h2 id="dialog-title">"#)
        html.text(title)
        html.literal("</h2>")
        if let subtitle { html.element("p", Attribute("dir", "auto"), text: subtitle) }
        html.literal("</div>")
        html.element(
            "a", .class("button"), .href(closeHref), .flag("autofocus"), .flag("data-close"), text: localized("Close"))
        html.literal(#"</header><dl class="sheet-body record">"#)
        for field in fields { field.renderFixed(into: &html) }
        html.literal("</dl>")
        html.render(links)
    }
}

extension Field {
    /// Label and value, without a control.
    fileprivate func renderFixed(into html: inout HTML) {
        guard case .fixed(let text) = control else { return }
        html.literal(#"<div class="field"><dt class="label">"#)
        html.text(label)
        html.literal(#"</dt><dd class="fixed" dir="auto">"#)
        html.text(text)
        html.literal("</dd></div>")
    }
}

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
