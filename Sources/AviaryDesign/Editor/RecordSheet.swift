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
