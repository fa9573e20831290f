import AviaryLocalization

/// What a field was and what it is, in words.
package struct FieldDifference: Sendable, Component {
    let label: String
    /// Nil where there was nothing.
    let before: String?
    /// Nil where there is nothing any more.
    let after: String?
    /// What is said in place of the values.
    let remark: String?

    package init(_ label: String, before: String?, after: String?, remark: String? = nil) {
        self.label = label
        self.before = before
        self.after = after
        self.remark = remark
    }

    package func render(into html: inout HTML) {
        html.literal("<div>")
        html.element("dt", text: label)
        html.literal("<dd>")
        if let remark {
            html.element("span", .class("remark"), text: remark)
        } else {
            values(into: &html)
        }
        html.literal("</dd></div>")
    }

    private func values(into html: inout HTML) {
        if let before {
            html.literal(#"<span class="spoken">"#)
            html.text(localized("was"))
            html.literal(#" </span>"#)
            html.element("del", Attribute("dir", "auto"), text: before)
        }
        if before != nil, after != nil { html.render(Icon.arrow) }
        if let after {
            if before != nil {
                html.literal(#"<span class="spoken"> "#)
                html.text(localized("is now"))
                html.literal(" </span>")
            }
            html.element("ins", Attribute("dir", "auto"), text: after)
        }
    }
}
