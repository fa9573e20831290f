/// A titled section of a page, with facts and actions.
package struct Panel: Sendable, Component {
    let title: String
    let text: [String]
    let facts: [Fact]
    let actions: [PanelAction]

    package init(title: String, text: [String] = [], facts: [Fact] = [], actions: [PanelAction] = []) {
        self.title = title
        self.text = text
        self.facts = facts
        self.actions = actions
    }

    package func render(into html: inout HTML) {
        render(into: &html) { _ in }
    }

    /// Writes the panel with additional content between the facts and the actions.
    package func render(into html: inout HTML, content: (inout HTML) -> Void) {
        html.literal(#"<section class="panel"><h2>"#)
        html.text(title)
        html.literal("</h2>")
        for line in text { html.element("p", Attribute("dir", "auto"), text: line) }
        if !facts.isEmpty {
            html.literal(#"<dl class="facts">"#)
            for fact in facts { html.render(fact) }
            html.literal("</dl>")
        }
        content(&html)
        if !actions.isEmpty {
            html.literal(#"<div class="actions">"#)
            for action in actions { html.render(action) }
            html.literal("</div>")
        }
        html.literal("</section>")
    }
}

/// A label and its value.
package struct Fact: Sendable, Component {
    let label: String
    let text: String

    package init(_ label: String, _ text: String) {
        self.label = label
        self.text = text
    }

    package func render(into html: inout HTML) {
        html.literal("<div>")
        html.element("dt", text: label)
        html.element("dd", Attribute("dir", "auto"), text: text)
        html.literal("</div>")
    }
}

/// An action of a panel: a link, a form, or a form with a confirmation question.
package enum PanelAction: Sendable, Component {
    case link(title: String, href: String)
    case post(PostButton)
    /// A form with a confirmation question, which expands in place, even without scripts.
    case question(title: String, text: String, PostButton)

    package func render(into html: inout HTML) {
        switch self {
        case .link(let title, let href):
            html.element("a", .class("button"), .href(href), text: title)
        case .post(let button):
            html.render(button)
        case .question(let title, let text, let button):
            html.literal(#"<details class="ask"><summary class="button">"#)
            html.text(title)
            html.literal("</summary>")
            html.element("div", .class("answer")) { html in
                html.element("p", Attribute("dir", "auto"), text: text)
                html.render(button)
            }
            html.literal("</details>")
        }
    }
}

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
