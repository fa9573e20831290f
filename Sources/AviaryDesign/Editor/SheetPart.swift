import AviaryLocalization

/// A part of a sheet: a field, a group of fields or a group of rows.
package enum SheetPart: Sendable {
    case field(Field)
    case group(FieldGroup)
    case rows(InlineRows)
}

/// A section of a sheet, with an optional title.
package struct SheetSection: Sendable {
    let title: String?
    let parts: [SheetPart]

    package init(title: String?, parts: [SheetPart]) {
        self.title = title
        self.parts = parts
    }

    func render(index: Int, focus: String?, into html: inout HTML) {
        guard let title else { return content(focus: focus, into: &html) }
        html.element("section", .class("sheet-section"), .labelledBy("section-\(index)")) { html in
            html.element("h3", .id("section-\(index)"), text: title)
            content(focus: focus, into: &html)
        }
    }

    private func content(focus: String?, into html: inout HTML) {
        for part in parts {
            switch part {
            case .field(let field): field.render(hasFocus: field.name == focus, into: &html)
            case .group(let group): group.render(focus: focus, into: &html)
            case .rows(let group): group.render(focus: focus, into: &html)
            }
        }
    }
}

extension SheetPart {
    /// The fields of the part that may receive the initial focus.
    var fields: [Field] {
        switch self {
        case .field(let field): [field]
        case .group(let group): group.fields
        case .rows(let group): group.rows.flatMap(\.fields)
        }
    }

    /// The first field of the part with an error. An error of a group as a whole is that of its first field.
    var fieldWithError: Field? {
        let reachable = fields.filter(\.takesFocus)
        if let field = reachable.first(where: { $0.error != nil }) { return field }
        if case .group(let group) = self, group.error != nil { return reachable.first }
        return nil
    }
}

/// A group of fields that form one value.
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
