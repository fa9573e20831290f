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
