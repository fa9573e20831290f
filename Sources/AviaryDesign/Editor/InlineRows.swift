import AviaryLocalization

/// A group of records that are edited as rows of another record's sheet.
package struct InlineRows: Sendable {
    package struct Row: Sendable {
        /// The id of the row within the group.
        let id: String
        let title: String
        let hidden: [(String, String)]
        let fields: [Field]
        /// The checkbox that removes the row with the next Save; nil for a row that cannot be removed.
        let removal: (name: String, isOn: Bool, label: String)?
        /// The conflict about the removal, when the row was changed in the meantime.
        let removalQuestion: Comparison?
        let error: String?

        package init(
            id: String, title: String, hidden: [(String, String)], fields: [Field],
            removal: (name: String, isOn: Bool, label: String)?, removalQuestion: Comparison? = nil, error: String?
        ) {
            self.id = id
            self.title = title
            self.hidden = hidden
            self.fields = fields
            self.removal = removal
            self.removalQuestion = removalQuestion
            self.error = error
        }
    }

    let name: String
    let label: String
    let rows: [Row]
    /// The template of a new row, from which a script creates rows.
    let blank: Row?
    let add: SheetButton?
    let notes: [String]
    let error: String?
    /// Indicates whether the group needs at least one row.
    let isRequired: Bool

    package init(
        name: String, label: String, rows: [Row], blank: Row?, add: SheetButton?, notes: [String], error: String?,
        isRequired: Bool = false
    ) {
        self.name = name
        self.label = label
        self.rows = rows
        self.blank = blank
        self.add = add
        self.notes = notes
        self.error = error
        self.isRequired = isRequired
    }

    package func render(focus: String?, into html: inout HTML) {
        html.element(
            "fieldset", .class(error == nil ? "rows" : "rows wrong"), .id("field-\(name)"), Attribute("tabindex", "-1"),
            .describedBy(error == nil ? nil : "error-\(name)"), .flag("data-rows")
        ) { html in
            html.element("legend", .class("label")) { html in
                html.text(label)
                if isRequired { html.element("span", .class("required"), text: localized("Required")) }
            }
            if let error { renderError(error, id: "error-\(name)", into: &html) }
            for note in notes { html.element("p", .class("help"), text: note) }
            if rows.isEmpty { html.element("p", .class("help none"), text: localized("None yet.")) }
            html.element("div", .class("row-list")) { html in
                for row in rows { self.row(row, focus: focus, into: &html) }
            }
            if let blank {
                html.element("template", .flag("data-blank")) { self.row(blank, focus: nil, into: &$0) }
            }
            add?.render(into: &html)
        }
    }

    private func row(_ row: Row, focus: String?, into html: inout HTML) {
        html.element(
            "fieldset", .class(row.error == nil ? "row" : "row wrong"), .id("field-\(row.id)"),
            Attribute("tabindex", "-1"),
            .describedBy(row.error == nil ? nil : "error-\(row.id)")
        ) { html in
            html.element("legend", Attribute("dir", "auto"), text: row.title)
            html.render(HiddenFields(csrf: nil, fields: row.hidden))
            if let error = row.error { renderError(error, id: "error-\(row.id)", into: &html) }
            html.element("div", .class("row-fields")) { html in
                for field in row.fields { field.render(hasFocus: field.name == focus, into: &html) }
            }
            if let removal = row.removal {
                html.element("label", .class("removal")) { html in
                    html.void(
                        "input", .type("checkbox"), .name(removal.name), .value("true"), .flag("checked", removal.isOn))
                    html.element("span", text: removal.label)
                }
            }
            row.removalQuestion?.render(into: &html, describedBy: row.error == nil ? nil : "error-\(row.id)")
        }
    }

    private func renderError(_ error: String, id: String, into html: inout HTML) {
        html.element("p", .class("error"), .id(id)) { html in
            html.render(Icon.failure)
            html.text(error)
        }
    }
}
