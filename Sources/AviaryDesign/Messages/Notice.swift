/// A message at the top of a page or a sheet.
package struct Notice: Sendable, Component {
    package enum Kind: Sendable {
        case information, success, warning, failure
    }

    let kind: Kind
    let text: LinkedText
    let actions: [NoticeAction]

    /// - Parameter links: Names in the text that lead to what they name.
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
