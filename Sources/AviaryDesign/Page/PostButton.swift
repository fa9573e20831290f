/// A button that submits a form of its own.
package struct PostButton: Sendable, Component {
    package enum Style: Sendable {
        case normal, primary, danger, plain
    }

    let title: String
    /// The subject of the action, for screen readers; the button's position shows it to others.
    let subject: String?
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let style: Style

    package init(
        _ title: String, about subject: String? = nil, action: String, csrf: String, hidden: [(String, String)] = [],
        style: Style = .normal
    ) {
        self.title = title
        self.subject = subject
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.style = style
    }

    package func render(into html: inout HTML) {
        html.element("form", .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.element("button", .class(classes)) { html in
                html.text(title)
                if let subject {
                    html.literal(#"<span class="spoken"> "#)
                    html.text(subject)
                    html.literal("</span>")
                }
            }
        }
    }

    private var classes: String {
        switch style {
        case .normal: "button"
        case .primary: "button primary"
        case .danger: "button danger"
        case .plain: "button plain"
        }
    }
}

/// The hidden fields of a form.
struct HiddenFields: Component {
    var csrf: String?
    var fields: [(String, String)] = []

    func render(into html: inout HTML) {
        if let csrf { write("csrf", csrf, into: &html) }
        for (name, value) in fields { write(name, value, into: &html) }
    }

    private func write(_ name: String, _ value: String, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value(value))
    }
}
