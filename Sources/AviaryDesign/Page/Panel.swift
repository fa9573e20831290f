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
