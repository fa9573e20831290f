/// A search for records, started with a button or, if scripts run, while the user types.
package struct RecordSearch: Sendable {
    let label: String
    /// The name of the search field; nil when the control has a field of its own for the search.
    let name: String?
    let button: SheetButton
    /// The address from which a script requests matching options.
    let choices: String
    /// A description of the results shown.
    let result: String?

    package init(label: String, name: String?, button: SheetButton, choices: String, result: String?) {
        self.label = label
        self.name = name
        self.button = button
        self.choices = choices
        self.result = result
    }
}

/// A control that chooses one of very many records, found by a search.
package struct RecordPicker: Sendable {
    /// The selected record, the search results, and the option for no record.
    let options: [Option]
    let selected: String
    let search: RecordSearch

    package init(options: [Option], selected: String, search: RecordSearch) {
        self.options = options
        self.selected = selected
        self.search = search
    }
}

extension Field {
    /// Writes the picker. The search field has the id of the field, so that links to the field focus it.
    func picker(_ picker: RecordPicker, hasFocus: Bool, into html: inout HTML) {
        html.element(
            "div", .class("picker"), Attribute("data-choices", picker.search.choices), Attribute("data-name", name)
        ) { html in
            search(picker.search, hasFocus: hasFocus, into: &html)
            html.element("div", .class("picks")) { html in
                for (index, option) in picker.options.enumerated() {
                    html.element("label") { html in
                        html.void(
                            "input", .type("radio"), .id("\(id)-\(index)"), .name(name), .value(option.value),
                            .flag("checked", option.value == picker.selected), invalid)
                        html.element("span", Attribute("dir", "auto"), text: option.label)
                    }
                }
            }
        }
    }

    func search(_ search: RecordSearch, hasFocus: Bool, into html: inout HTML) {
        html.element("div", .class("search-records")) { html in
            if let name = search.name {
                html.element("label", .class("spoken"), .for(id), text: search.label)
                html.void(
                    "input", .type("search"), .id(id), .name(name), .value(""), Attribute("placeholder", search.label),
                    Attribute("dir", "auto"), Attribute("autocomplete", "off"), .flag("data-search"), invalid,
                    .describedBy(description),
                    focus(hasFocus))
            }
            search.button.render(into: &html)
        }
        html.element("p", .class("help"), .role("status"), .flag("data-found"), text: search.result ?? "")
    }
}

/// A button of a sheet, other than Save and Cancel, that submits the form with its current input.
package struct SheetButton: Sendable {
    let title: String
    /// The form field that identifies the button.
    let name: String
    let value: String
    let action: String

    package init(title: String, name: String, value: String, action: String) {
        self.title = title
        self.name = name
        self.value = value
        self.action = action
    }

    func render(into html: inout HTML, class name: StaticString? = "button") {
        html.element(
            "button", .type("submit"), Attribute("class", name?.description), .name(self.name), .value(value),
            .formAction(action),
            .flag("formnovalidate"), .flag("data-step"), text: title)
    }
}
