/// What stands in a sheet from top to bottom.
package enum SheetPart: Sendable {
    case field(Field)
    case group(FieldGroup)
    case rows(RowGroup)
}

/// Parts that stand together, with a title if they have one.
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
    /// The fields that the keyboard may begin in.
    var fields: [Field] {
        switch self {
        case .field(let field): [field]
        case .group(let group): group.fields
        case .rows(let group): group.rows.flatMap(\.fields)
        }
    }
}
