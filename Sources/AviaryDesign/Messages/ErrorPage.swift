import AviaryLocalization

/// Something went wrong: what, and the way back.
package struct ErrorPage: Sendable, Component {
    let title: String
    let text: String
    let actionTitle: String
    let actionHref: String
    let reference: String?
    let resend: Resend?

    /// A form as it was sent, to be sent once more.
    package struct Resend: Sendable {
        let action: String
        let csrf: String
        let fields: [(String, String)]

        package init(action: String, csrf: String, fields: [(String, String)]) {
            self.action = action
            self.csrf = csrf
            self.fields = fields
        }
    }

    /// - Parameter resend: What was typed, which must not be lost. The other way on then opens beside it.
    package init(
        title: String, text: String, actionTitle: String, actionHref: String, reference: String?, resend: Resend? = nil
    ) {
        self.title = title
        self.text = text
        self.actionTitle = actionTitle
        self.actionHref = actionHref
        self.reference = reference
        self.resend = resend
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        html.element("p", Attribute("dir", "auto"), text: text)
        if let resend {
            html.literal(#"<div class="actions">"#)
            html.element("a", .class("button"), .href(actionHref), Attribute("target", "_blank"), text: actionTitle)
            html.element("form", .method("post"), .action(resend.action)) { html in
                html.render(HiddenFields(csrf: resend.csrf, fields: resend.fields))
                html.element("button", .class("button primary"), text: localized("Send it again"))
            }
            html.literal("</div>")
        } else {
            html.element("a", .class("button primary"), .href(actionHref), text: actionTitle)
        }
        if let reference {
            html.literal(#"<p class="reference">"#)
            html.text(localized("Reference"))
            html.literal(#" <code>"#)
            html.text(reference)
            html.literal("</code></p>")
        }
        html.literal("</section>")
    }
}

/// A list without rows: what it is for, and the first step.
package struct EmptyState: Sendable, Component {
    let title: String
    let text: String
    let actionTitle: String?
    let actionHref: String?

    package init(title: String, text: String, actionTitle: String?, actionHref: String?) {
        self.title = title
        self.text = text
        self.actionTitle = actionTitle
        self.actionHref = actionHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="empty"><span class="mark"></span>"#)
        html.element("h2", text: title)
        html.element("p", text: text)
        if let actionTitle, let actionHref {
            html.element("a", .class("button primary"), .href(actionHref), text: actionTitle)
        }
        html.literal("</section>")
    }
}
