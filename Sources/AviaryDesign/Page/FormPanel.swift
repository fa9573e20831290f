/// A form that is a part of a page, with more than one way on.
package struct FormPanel: Sendable, Component {
    /// One of its buttons, and what it sends. In a form with a file it sends nothing: a button's field stands behind the file.
    package struct Submit: Sendable {
        let title: String
        let name: String?
        let value: String?
        let isPrimary: Bool

        package init(_ title: String, name: String? = nil, value: String? = nil, isPrimary: Bool = false) {
            self.title = title
            self.name = name
            self.value = value
            self.isPrimary = isPrimary
        }
    }

    let title: String
    let text: [String]
    let action: String
    let csrf: String
    let fields: [Field]
    let submits: [Submit]
    let alternative: (title: String, href: String)?

    package init(
        title: String, text: [String] = [], action: String, csrf: String, fields: [Field], submits: [Submit],
        alternative: (title: String, href: String)? = nil
    ) {
        self.title = title
        self.text = text
        self.action = action
        self.csrf = csrf
        self.fields = fields
        self.submits = submits
        self.alternative = alternative
    }

    package func render(into html: inout HTML) {
        Panel(title: title, text: text).render(into: &html) { html in
            html.element("form", .class("field-form"), .method("post"), Attribute("enctype", encoding), .action(action))
            { html in
                html.render(HiddenFields(csrf: csrf))
                for field in fields { field.render(hasFocus: false, into: &html) }
                html.element("div", .class("actions")) { html in
                    for submit in submits {
                        html.element(
                            "button", .class(submit.isPrimary ? "button primary" : "button"),
                            Attribute("name", submit.name),
                            Attribute("value", submit.value),
                            text: submit.title
                        )
                    }
                    if let alternative {
                        html.element("a", .class("button"), .href(alternative.href), text: alternative.title)
                    }
                }
            }
        }
    }

    private var encoding: String? { fields.lazy.compactMap(\.control.encoding).first }
}
