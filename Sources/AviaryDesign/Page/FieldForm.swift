/// One field with its button, for a panel.
package struct FieldForm: Sendable, Component {
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let field: Field
    let submitTitle: String

    package init(action: String, csrf: String, hidden: [(String, String)] = [], field: Field, submitTitle: String) {
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.field = field
        self.submitTitle = submitTitle
    }

    package func render(into html: inout HTML) {
        html.element(
            "form", .class("field-form"), .method("post"), Attribute("enctype", field.control.encoding), .action(action)
        ) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            field.render(hasFocus: false, into: &html)
            html.element("button", .class("button"), text: submitTitle)
        }
    }
}
