import AviaryLocalization

/// A read-only sheet of a record, for users without permission to edit it.
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
    /// Writes the label and the value, without a control.
    fileprivate func renderFixed(into html: inout HTML) {
        guard case .fixed(let text) = control else { return }
        html.literal(#"<div class="field"><dt class="label">"#)
        html.text(label)
        html.literal(#"</dt><dd class="fixed" dir="auto">"#)
        html.text(text)
        html.literal("</dd></div>")
    }
}

/// The links of a record's sheet, such as the history, a duplicate and the delete.
package struct SheetLinks: Sendable, Component {
    package struct Link: Sendable {
        package let title: String
        package let href: String
        let isDestructive: Bool
        /// The button that replaces the link in a form, so that the form keeps its input.
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

    /// Returns the links as buttons of a form, which keep its input as a draft. A link without such a button
    /// remains a link.
    package func leaving(by button: (Link) -> SheetButton?) -> SheetLinks {
        var leaving = self
        for index in leaving.links.indices { leaving.links[index].button = button(leaving.links[index]) }
        return leaving
    }

    package func render(into html: inout HTML) {
        guard !links.isEmpty else { return }
        html.literal(#"<nav class="sheet-links" aria-label=""#)
        html.text(localized("Record actions"))
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
