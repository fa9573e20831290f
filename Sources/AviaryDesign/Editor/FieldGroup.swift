import AviaryLocalization

/// Fields that make one value together.
package struct FieldGroup: Sendable {
    let name: String
    let label: String
    let fields: [Field]
    let help: String?
    let error: String?
    let isRequired: Bool

    package init(name: String, label: String, fields: [Field], help: String?, error: String?, isRequired: Bool) {
        self.name = name
        self.label = label
        self.fields = fields
        self.help = help
        self.error = error
        self.isRequired = isRequired
    }

    func render(focus: String?, into html: inout HTML) {
        html.element(
            "fieldset", .class(error == nil ? "field group" : "field group wrong"), .id("field-\(name)"),
            Attribute("tabindex", "-1"),
            .describedBy(error == nil ? nil : "error-\(name)")
        ) { html in
            html.element("legend", .class("label")) { html in
                html.text(label)
                if isRequired { html.element("span", .class("required"), text: localized("Required")) }
            }
            if let error {
                html.element("p", .class("error"), .id("error-\(name)")) { html in
                    html.render(Icon.failure)
                    html.text(error)
                }
            }
            html.element("div", .class("row-fields")) { html in
                for field in fields { field.render(hasFocus: field.name == focus, into: &html) }
            }
            if let help { html.element("p", .class("help"), text: help) }
        }
    }
}
