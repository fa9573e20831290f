import AviaryLocalization

/// The progress of a change that the server makes by itself, with a form that stops it.
package struct ChangeProgress: Sendable, Component {
    let title: String
    let text: String
    let action: String
    let csrf: String
    /// The fields of the form that stops the change; nil if it cannot be stopped any more.
    let hidden: [(String, String)]?
    let backTitle: String
    let backHref: String

    package init(
        title: String, text: String, action: String, csrf: String, hidden: [(String, String)]?, backTitle: String,
        backHref: String
    ) {
        self.title = title
        self.text = text
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.backTitle = backTitle
        self.backHref = backHref
    }

    package func render(into html: inout HTML) {
        html.element("section", .class("question"), .labelledBy("dialog-title")) { html in
            html.element("h1", .id("dialog-title"), text: title)
            html.element("p", .role("status"), text: text)
            html.element("progress", .labelledBy("dialog-title")) { _ in }
            html.literal(#"<div class="actions">"#)
            html.element("a", .class("button"), .href(backHref), text: backTitle)
            if let hidden {
                html.element("form", .method("post"), .action(action)) { html in
                    html.render(HiddenFields(csrf: csrf, fields: hidden))
                    html.element("button", .class("button danger"), text: localized("Stop"))
                }
            }
            html.literal("</div>")
        }
    }
}
