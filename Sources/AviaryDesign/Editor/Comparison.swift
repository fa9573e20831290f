import AviaryLocalization

/// A choice between two versions of a field's text.
package struct Comparison: Sendable {
    package struct Choice: Sendable {
        let value: String
        let title: String
        let text: String
        let isChosen: Bool

        package init(value: String, title: String, text: String, isChosen: Bool) {
            self.value = value
            self.title = title
            self.text = text
            self.isChosen = isChosen
        }
    }

    let name: String
    let question: String
    let choices: [Choice]
    /// The text before both versions.
    let before: String?

    package init(name: String, question: String, choices: [Choice], before: String?) {
        self.name = name
        self.question = question
        self.choices = choices
        self.before = before
    }

    func render(into html: inout HTML, describedBy error: String?) {
        html.element("fieldset", .class("comparison"), .describedBy(error)) { html in
            html.element("legend", text: question)
            for choice in choices {
                html.element("label") { html in
                    html.void(
                        "input", .type("radio"), .name(name), .value(choice.value), .flag("checked", choice.isChosen))
                    html.element("span") { html in
                        html.element("strong", text: choice.title)
                        html.element("span", .class("version"), Attribute("dir", "auto"), text: choice.text)
                    }
                }
            }
            if let before {
                html.element("p", .class("help")) { html in
                    html.text(localized("Original value:"))
                    html.literal(" ")
                    html.element("bdi", text: before)
                }
            }
        }
    }
}
