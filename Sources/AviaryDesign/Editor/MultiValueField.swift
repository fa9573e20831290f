/// A list of values of one field, each with a checkbox. The user can add values by typing their names.
package struct MultiValueField: Sendable {
    package struct Adding: Sendable {
        let label: String
        let text: String
        let suggestions: [String]

        package init(label: String, text: String, suggestions: [String]) {
            self.label = label
            self.text = text
            self.suggestions = suggestions
        }
    }

    let options: [Option]
    let checked: Set<String>
    /// A hidden field that belongs to the list; nil if it has none.
    let hidden: (name: String, value: String)?
    let note: String?
    /// The field to add values; nil when the user can only choose among the options.
    let adding: Adding?
    /// The search for further options; nil when the options are complete.
    let search: RecordSearch?

    package init(
        options: [Option], checked: Set<String>, hidden: (name: String, value: String)? = nil, note: String? = nil,
        adding: Adding? = nil,
        search: RecordSearch? = nil
    ) {
        self.options = options
        self.checked = checked
        self.hidden = hidden
        self.note = note
        self.adding = adding
        self.search = search
    }
}

extension Field {
    /// Writes the checkboxes.
    ///
    /// Browsers do not send unchecked boxes, so a hidden empty value tells the server that the form contains the
    /// field.
    func entries(_ list: MultiValueField, hasFocus: Bool, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value(""))
        if let hidden = list.hidden { html.void("input", .type("hidden"), .name(hidden.name), .value(hidden.value)) }
        // The first focusable control has the id of the field, so that links to the field focus it.
        let first = list.adding == nil ? list.options.first?.value : nil
        if let search = list.search {
            html.element(
                "div", .class("picker"), Attribute("data-choices", search.choices), Attribute("data-name", name)
            ) { html in
                options(list, first: first, hasFocus: hasFocus, into: &html)
                if let adding = list.adding { self.adding(adding, hasFocus: hasFocus, into: &html) }
                self.search(search, hasFocus: false, into: &html)
            }
            if let note = list.note { html.element("p", .class("help"), text: note) }
            return
        }
        options(list, first: first, hasFocus: hasFocus, into: &html)
        if let note = list.note { html.element("p", .class("help"), text: note) }
        if let adding = list.adding { self.adding(adding, hasFocus: hasFocus, into: &html) }
    }

    private func options(_ list: MultiValueField, first: String?, hasFocus: Bool, into html: inout HTML) {
        if !list.options.isEmpty || list.search != nil {
            html.element("ul", .class("entries"), Attribute("role", "list")) { html in
                for option in list.options {
                    html.element("li") { html in
                        html.element("label") { html in
                            let isFirst = option.value == first
                            html.void(
                                "input", .type("checkbox"), .id(isFirst ? id : "\(id)-\(option.value)"), .name(name),
                                .value(option.value), .flag("checked", list.checked.contains(option.value)), invalid,
                                focus(hasFocus && isFirst))
                            html.element("span", Attribute("dir", "auto"), text: option.label)
                        }
                    }
                }
            }
        }
    }

    private func adding(_ adding: MultiValueField.Adding, hasFocus: Bool, into html: inout HTML) {
        let suggestions = "suggestions-\(name)"
        html.element("label", .class("adding"), .for(id), text: adding.label)
        html.void(
            "input", .type("text"), .id(id), .name(name), .value(adding.text), Attribute("dir", "auto"),
            .flag("data-search"),
            Attribute("list", adding.suggestions.isEmpty ? nil : suggestions), invalid, .describedBy(description),
            focus(hasFocus))
        guard !adding.suggestions.isEmpty else { return }
        html.element("datalist", .id(suggestions)) { html in
            for suggestion in adding.suggestions { html.void("option", .value(suggestion)) }
        }
    }
}
