/// A card with secrets that are displayed once and must be kept elsewhere, such as a link or recovery codes.
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

/// A secret that the user types into an app or passes to an app on the same device.
package struct SecretKey: Sendable, Component {
    let label: String
    /// The secret in groups of characters, for typing.
    let text: String
    let linkTitle: String
    /// The link of the scheme `otpauth`, which is also drawn as a QR code for a phone's camera.
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
