/// Something that is shown once and has to be kept elsewhere: a link, recovery codes.
package struct SecretCard: Sendable, Component {
    let title: String
    let text: [String]
    let notices: [Notice]
    let secrets: [String]
    let doneTitle: String
    let doneHref: String

    package init(
        title: String, text: [String], notices: [Notice] = [], secrets: [String], doneTitle: String, doneHref: String
    ) {
        self.title = title
        self.text = text
        self.notices = notices
        self.secrets = secrets
        self.doneTitle = doneTitle
        self.doneHref = doneHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="form-card"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        for notice in notices { html.render(notice) }
        for line in text { html.element("p", Attribute("dir", "auto"), text: line) }
        if secrets.count == 1, let secret = secrets.first {
            html.element("code", .class("secret"), text: secret)
        } else {
            html.literal(#"<ol class="secrets">"#)
            for secret in secrets {
                html.literal("<li>")
                html.element("code", text: secret)
                html.literal("</li>")
            }
            html.literal("</ol>")
        }
        html.element("a", .class("button primary"), .href(doneHref), text: doneTitle)
        html.literal("</section>")
    }
}

/// A secret that one types into an app, or hands over to it on the same device.
package struct SecretKey: Sendable, Component {
    let label: String
    /// In groups, to be typed.
    let text: String
    let linkTitle: String
    /// Of the scheme `otpauth`; drawn, too, for a phone's camera.
    let link: String

    package init(label: String, text: String, linkTitle: String, link: String) {
        self.label = label
        self.text = text
        self.linkTitle = linkTitle
        self.link = link
    }

    package func render(into html: inout HTML) {
        html.literal(#"<div class="key">"#)
        if let code = QRCode(link) { html.render(QRPicture(code)) }
        html.literal(#"<p class="label">"#)
        html.text(label)
        html.literal("</p>")
        html.element("code", .class("secret"), text: text)
        html.element("a", .class("alternative"), .authenticator(link), text: linkTitle)
        html.literal("</div>")
    }
}
