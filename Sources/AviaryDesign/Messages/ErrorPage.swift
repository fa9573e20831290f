import AviaryLocalization

/// An error page, which describes the error and offers a next step.
package struct ErrorPage: Sendable, Component {
    let title: String
    let text: String
    let actionTitle: String
    let actionHref: String
    let reference: String?
    let resend: Resend?

    /// A form that can be submitted again with the same input.
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

    /// Creates an error page.
    ///
    /// - Parameter resend: The submitted form, so that its input is not lost. The other action then opens in a new
    ///   tab.
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
                html.element("button", .class("button primary"), text: localized("Send again"))
            }
            html.literal("</div>")
        } else {
            html.element("a", .class("button primary"), .href(actionHref), text: actionTitle)
        }
        if let reference {
            html.literal(#"<p class="reference">"#)
            html.text(localized("Error ID"))
            html.literal(#" <code>"#)
            html.text(reference)
            html.literal("</code></p>")
        }
        html.literal("</section>")
    }
}

/// The placeholder of an empty list, which explains its purpose and offers the first step.
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
