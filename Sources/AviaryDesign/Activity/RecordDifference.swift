import AviaryLocalization

/// A change of one record.
package struct RecordDifference: Sendable, Component {
    package enum Kind: Sendable {
        case added, changed, deleted

        fileprivate var icon: Icon {
            switch self {
            case .added: .plus
            case .changed: .draft
            case .deleted: .trash
            }
        }

        fileprivate var tone: String {
            switch self {
            case .added: "added"
            case .changed: "changed"
            case .deleted: "deleted"
            }
        }
    }

    let kind: Kind
    /// The kind of change: `Changed animal`.
    let what: String
    let title: String?
    /// The address of the change; nil when there is nothing left to show.
    let href: String?
    let fields: [FieldDifference]

    package init(_ kind: Kind, what: String, title: String?, href: String?, fields: [FieldDifference]) {
        self.kind = kind
        self.what = what
        self.title = title
        self.href = href
        self.fields = fields
    }

    package func render(into html: inout HTML) {
        html.element("div", .class("difference \(kind.tone)")) { html in
            html.literal("<p>")
            html.render(kind.icon)
            html.literal(#"<span class="what">"#)
            html.text(what)
            html.literal("</span> ")
            if let title {
                if let href {
                    html.element("a", .href(href)) { $0.element("bdi", text: title) }
                } else {
                    html.element("bdi", text: title)
                }
            }
            html.literal("</p>")
            guard !fields.isEmpty else { return }
            html.literal(#"<dl class="fields">"#)
            for field in fields { html.render(field) }
            html.literal("</dl>")
        }
    }
}

/// The old and the new value of a field as text.
package struct FieldDifference: Sendable, Component {
    let label: String
    /// The old value; nil when there was none.
    let before: String?
    /// The new value; nil when there is none.
    let after: String?
    /// A remark that replaces the values.
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
