/// A message at the top of a page or a sheet.
package struct Notice: Sendable, Component {
    package enum Kind: Sendable {
        case information, success, warning, failure
    }

    let kind: Kind
    let text: LinkedText
    let actions: [NoticeAction]

    /// Creates a notice.
    ///
    /// - Parameter links: The links of names in the text.
    package init(_ kind: Kind, _ text: String, links: [LinkedText.Link] = [], actions: [NoticeAction] = []) {
        self.kind = kind
        self.text = LinkedText(text, links: links)
        self.actions = actions
    }

    package func render(into html: inout HTML) {
        html.element("div", .class("notice \(tone)"), .role(isUrgent ? "alert" : "status")) { html in
            html.render(icon)
            html.element("p", Attribute("dir", "auto")) { $0.render(text) }
            if !actions.isEmpty {
                html.literal(#"<div class="actions">"#)
                for action in actions { html.render(action) }
                html.literal("</div>")
            }
        }
    }

    private var isUrgent: Bool { kind == .warning || kind == .failure }

    private var tone: String {
        switch kind {
        case .information: "information"
        case .success: "success"
        case .warning: "warning"
        case .failure: "failure"
        }
    }

    private var icon: Icon {
        switch kind {
        case .information: .information
        case .success: .check
        case .warning: .warning
        case .failure: .failure
        }
    }
}

/// An action of a notice: a link or a form.
package enum NoticeAction: Sendable, Component {
    case link(title: String, href: String)
    /// A button within a sheet, which submits the current input.
    case step(SheetButton)
    case post(title: String, action: String, csrf: String, hidden: [(String, String)])

    package func render(into html: inout HTML) {
        switch self {
        case .link(let title, let href):
            html.element("a", .class("button"), .href(href), text: title)
        case .step(let button):
            button.render(into: &html)
        case .post(let title, let action, let csrf, let hidden):
            html.element("form", .method("post"), .action(action)) { html in
                html.render(HiddenFields(csrf: csrf, fields: hidden))
                html.element("button", .class("button"), text: title)
            }
        }
    }
}
