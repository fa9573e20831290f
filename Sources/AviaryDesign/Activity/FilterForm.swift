import AviaryLocalization

/// Fields that narrow down what a page shows. Sent by GET: the address tells all of it.
package struct FilterForm: Sendable, Component {
    let action: String
    let fields: [Field]
    /// Whether anything is narrowed down, and so the form open.
    let isActive: Bool
    let clearHref: String

    package init(action: String, fields: [Field], isActive: Bool, clearHref: String) {
        self.action = action
        self.fields = fields
        self.isActive = isActive
        self.clearHref = clearHref
    }

    package func render(into html: inout HTML) {
        html.element("details", .class("narrow"), .flag("open", isActive)) { html in
            html.literal(#"<summary class="button">"#)
            html.render(Icon.filter)
            html.text(localized("Filter"))
            html.literal("</summary>")
            html.element("form", .method("get"), .action(action)) { html in
                for field in fields { field.render(hasFocus: false, into: &html) }
                html.literal(#"<div class="actions"><button class="button primary">"#)
                html.text(localized("Show"))
                html.literal(#"</button>"#)
                if isActive {
                    html.element("a", .class("button plain"), .href(clearHref), text: localized("Show everything"))
                }
                html.literal("</div>")
            }
        }
    }
}
