import AviaryLocalization

/// Asks before something is done that takes other records along.
package struct Question: Sendable, Component {
    let title: String
    let text: [String]
    /// Nil when there is nothing to confirm.
    let confirmTitle: String?
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let cancelHref: String

    package init(
        title: String, text: [String], confirmTitle: String?, action: String, csrf: String,
        hidden: [(String, String)], cancelHref: String
    ) {
        self.title = title
        self.text = text
        self.confirmTitle = confirmTitle
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.cancelHref = cancelHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="question" aria-labelledby="dialog-title"><h1 id="dialog-title">"#)
        html.text(title)
        html.literal("</h1>")
        for line in text { html.element("p", Attribute("dir", "auto"), text: line) }
        guard let confirmTitle else {
            html.element("div", .class("actions")) { $0.element("a", .class("button"), .href(cancelHref), text: localized("Back")) }
            html.literal("</section>")
            return
        }
        html.element("form", .class("actions"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.element("a", .class("button"), .href(cancelHref), text: localized("Cancel"))
            html.element("button", .class("button danger"), text: confirmTitle)
        }
        html.literal("</section>")
    }
}
