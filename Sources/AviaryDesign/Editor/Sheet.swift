import AviaryLocalization

/// A form in a dialog, with Cancel, the title and Save at the top and the fields below.
package struct Sheet: Sendable, Component {
    let title: String
    let subtitle: String?
    let action: String
    let csrf: String
    let hidden: [(name: String, value: String)]
    let draft: SheetDraft
    let notices: [Notice]
    let errors: [FieldError]
    let sections: [SheetSection]
    let buttons: SheetButtons
    /// The name of the field with the initial focus; nil for the first field.
    let focus: String?
    /// The links of the sheet of an existing record.
    let links: SheetLinks

    /// Creates a sheet.
    ///
    /// - Parameter subtitle: The name of an existing record.
    package init(
        title: String, subtitle: String?, action: String, csrf: String, hidden: [(name: String, value: String)],
        draft: SheetDraft, notices: [Notice] = [], errors: [FieldError] = [], sections: [SheetSection],
        buttons: SheetButtons = SheetButtons(), focus: String? = nil, links: SheetLinks = SheetLinks()
    ) {
        self.title = title
        self.subtitle = subtitle
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.draft = draft
        self.notices = notices
        self.errors = errors
        self.sections = sections
        self.buttons = buttons
        self.focus = focus
        self.links = links
    }

    /// Creates a sheet without sections.
    package init(
        title: String, subtitle: String?, action: String, csrf: String, hidden: [(name: String, value: String)],
        draft: SheetDraft, notices: [Notice] = [], errors: [FieldError] = [], fields: [Field]
    ) {
        self.init(
            title: title, subtitle: subtitle, action: action, csrf: csrf, hidden: hidden, draft: draft,
            notices: notices, errors: errors, sections: [SheetSection(title: nil, parts: fields.map(SheetPart.field))])
    }

    var hiddenFields: HiddenFields {
        HiddenFields(csrf: csrf, fields: hidden.map { ($0.name, $0.value) })
    }

    /// The name of the first field with an error, else of the field in `focus`, else of the first field.
    var focusedField: String? {
        let parts = sections.flatMap(\.parts), fields = parts.flatMap(\.fields)
        return
            (parts.lazy.compactMap(\.fieldWithError).first ?? fields.first { $0.name == focus && $0.takesFocus }
            ?? fields.first(where: \.takesFocus))?.name
    }
}

extension Sheet {
    package func render(into html: inout HTML) {
        html.element(
            "form", .id("sheet-form"), .method("post"), .action(action), .flag("novalidate"),
            Attribute("autocomplete", "off"), Attribute("data-draft", draft.action),
            Attribute("data-address", draft.address),
            Attribute("data-copy", draft.copy)
        ) { html in
            html.render(hiddenFields)
            header(into: &html)
            html.literal(#"<div class="sheet-body">"#)
            for notice in notices { html.render(notice) }
            html.render(ErrorSummary(errors: errors))
            let focus = focusedField
            for (index, section) in sections.enumerated() { section.render(index: index, focus: focus, into: &html) }
            html.literal("</div>")
            footer(into: &html)
            html.render(links)
        }
        html.element("form", .id("discard-form"), .method("post"), .action(draft.discardAction)) { html in
            html.render(hiddenFields)
        }
        answers(into: &html)
    }

    /// Writes empty notices as templates, which scripts fill with their messages.
    private func answers(into html: inout HTML) {
        for (name, kind) in [("information", Notice.Kind.information), ("warning", .warning), ("failure", .failure)] {
            html.element("template", Attribute("data-notice", name)) { $0.render(Notice(kind, "")) }
        }
    }

    /// Writes the header.
    ///
    /// Enter in a field presses the first button of the form. Cancel comes before Save, so it belongs to another
    /// form.
    private func header(into html: inout HTML) {
        html.literal(#"<header class="sheet-header">"#)
        html.element(
            "button", .type("submit"), .class("button plain"), .form("discard-form"), .flag("formnovalidate"),
            .flag("data-cancel"), text: buttons.cancelTitle)
        html.literal(#"<div class="sheet-title"><h2 id="dialog-title">"#)
        html.text(title)
        html.literal("</h2>")
        if let subtitle { html.element("p", Attribute("dir", "auto"), text: subtitle) }
        html.literal("</div>")
        html.element("button", .type("submit"), .class("button primary"), .flag("data-save"), text: buttons.saveTitle)
        html.literal("</header>")
    }

    private func footer(into html: inout HTML) {
        html.literal(#"<footer class="sheet-footer">"#)
        html.element("p", .class("draft-note"), .role("status"), .flag("data-draft-status"), text: draft.note)
        html.literal(#"<div class="actions">"#)
        html.element(
            "button", .type("submit"), .class("button plain"), .formAction(draft.action), .flag("formnovalidate"),
            .flag("data-keep"), text: localized("Save draft"))
        if let saveAnd = buttons.saveAnd {
            html.element(
                "button", .type("submit"), .class("button"), .name(saveAnd.name), .value(saveAnd.value),
                .flag("data-save-and"),
                text: saveAnd.title)
        }
        html.literal("</div></footer>")
    }
}

/// The draft of a sheet: where the input is kept while it is not saved.
package struct SheetDraft: Sendable {
    let action: String
    let discardAction: String
    let address: String
    let copy: String?
    let note: String

    /// Creates the draft of a sheet.
    ///
    /// - Parameters:
    ///   - action: The address that keeps the input as a draft.
    ///   - discardAction: The address at which Cancel discards the draft.
    ///   - address: The address that opens the sheet again. It may differ from the address of the page, which may
    ///     be the answer to a form.
    ///   - copy: The identifier of the draft's copy that the sheet shows.
    ///   - note: A line that says what is kept as a draft and not saved yet.
    package init(action: String, discardAction: String, address: String, copy: String? = nil, note: String) {
        self.action = action
        self.discardAction = discardAction
        self.address = address
        self.copy = copy
        self.note = note
    }
}

/// The buttons of a sheet.
package struct SheetButtons: Sendable {
    let saveTitle: String
    let cancelTitle: String
    let saveAnd: SheetButton?

    /// Creates the buttons of a sheet.
    ///
    /// - Parameter saveAnd: A second button that saves and then leads to another page than the list.
    package init(
        saveTitle: String = localized("Save"), cancelTitle: String = localized("Cancel"), saveAnd: SheetButton? = nil
    ) {
        self.saveTitle = saveTitle
        self.cancelTitle = cancelTitle
        self.saveAnd = saveAnd
    }
}

/// A summary of the errors that prevent saving, each with a link to its field.
struct ErrorSummary: Component {
    let errors: [FieldError]

    func render(into html: inout HTML) {
        if errors.isEmpty { return }
        html.literal(#"<div class="notice failure summary" role="alert">"#)
        html.render(Icon.failure)
        html.literal("<div><h3>")
        html.text(localized("Not saved yet"))
        html.literal("</h3><ul>")
        for error in errors {
            html.literal("<li>")
            let text = error.label.map { $0 + ": " + error.message } ?? error.message
            if let field = error.field {
                html.element("a", .href("#field-\(field)"), text: text)
            } else {
                html.text(text)
            }
            html.literal("</li>")
        }
        html.literal("</ul></div></div>")
    }
}

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

    package func render(focus: String?, into html: inout HTML) {
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
