import AviaryLocalization

/// A labelled control of a sheet, with help text and error.
package struct Field: Sendable {
    let name: String
    let label: String
    let control: Control
    let help: String?
    let error: String?
    let isRequired: Bool
    /// The address on another site that the value links to.
    let link: String?
    /// The comparison with another version of the text.
    let comparison: Comparison?
    /// A button that leads to an addition to the options.
    let button: SheetButton?
    let clientValidation: ClientValidation?
    /// A part of the ids that distinguishes fields of the same name in several forms of a page; nil for none.
    package var scope: String?

    package init(
        name: String, label: String, control: Control, help: String? = nil, error: String? = nil,
        isRequired: Bool = false, link: String? = nil, comparison: Comparison? = nil, button: SheetButton? = nil,
        clientValidation: ClientValidation? = nil
    ) {
        self.name = name
        self.label = label
        self.control = control
        self.help = help
        self.error = error
        self.isRequired = isRequired
        self.link = link
        self.comparison = comparison
        self.button = button
        self.clientValidation = clientValidation
    }

    var id: String { "field-\(place)" }
    var helpID: String { "help-\(place)" }
    var errorID: String { "error-\(place)" }
    private var place: String { scope.map { "\($0)-\(name)" } ?? name }

    var description: String? {
        switch (help, error) {
        case (nil, nil): nil
        case (.some, nil): helpID
        case (nil, .some): errorID
        case (.some, .some): "\(errorID) \(helpID)"
        }
    }

    package var takesFocus: Bool {
        if case .fixed = control { false } else { true }
    }
}

/// A validation error of a form. The message says what to do.
package struct FieldError: Sendable {
    package let field: String?
    /// The label of the field, for an error that is not displayed beside it.
    package let label: String?
    package let message: String

    package init(field: String?, label: String? = nil, message: String) {
        self.field = field
        self.label = label
        self.message = message
    }
}

extension Field {
    package func render(hasFocus: Bool, into html: inout HTML) {
        switch control {
        case .segments(let options, let selected):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                segments(options, selected: selected, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .entries(let list):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                entries(list, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .picker(let picker):
            html.element("fieldset", .class(classes), .describedBy(description)) { html in
                html.element("legend", .class("label")) { title(into: &$0) }
                self.picker(picker, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        case .toggle(let isOn):
            html.element("div", .class(classes + " switch")) { html in
                html.element("label", .class("label"), .for(id)) { title(into: &$0) }
                toggle(isOn: isOn, hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        default:
            html.element(
                "div", .class(classes), Attribute("data-advice", clientValidation?.advice),
                Attribute("data-longest", clientValidation?.longest.map(String.init)),
                Attribute("data-least", clientValidation?.least),
                Attribute("data-most", clientValidation?.most), Attribute("data-pattern", clientValidation?.pattern)
            ) { html in
                html.element("label", .class("label"), .for(id)) { title(into: &$0) }
                input(hasFocus: hasFocus, into: &html)
                remarks(into: &html)
            }
        }
    }

    private var classes: String { error == nil ? "field" : "field wrong" }

    private func title(into html: inout HTML) {
        html.text(label)
        if isRequired {
            // The `required` attribute of the control already informs screen readers.
            html.literal(#"<span class="required" aria-hidden="true">"#)
            html.text(localized("Required"))
            html.literal(#"</span>"#)
        }
    }

    private func remarks(into html: inout HTML) {
        if let error {
            html.element("p", .class("error"), .id(errorID)) { html in
                html.render(Icon.failure)
                html.text(error)
            }
        }
        if let link {
            html.element("p", .class("help")) { html in
                html.element(
                    "a", .href(link), Attribute("rel", "noopener noreferrer"), Attribute("target", "_blank"),
                    text: localized("Open in a new tab"))
            }
        }
        if let help {
            html.element("p", .class("help"), .id(helpID), text: help)
        }
        comparison?.render(into: &html, describedBy: error == nil ? nil : errorID)
        button?.render(into: &html, class: "button plain create")
    }
}

extension Field {
    func input(hasFocus: Bool, into html: inout HTML) {
        switch control {
        case .text(let value, let maxLength):
            html.void(
                "input", .type("text"), .id(id), .name(name), .value(value), Attribute("dir", "auto"),
                Attribute("maxlength", maxLength.map(String.init)), invalid, required, .describedBy(description),
                focus(hasFocus))
        case .multiline(let value):
            html.element(
                "textarea", .id(id), .name(name), Attribute("rows", "4"), Attribute("dir", "auto"), invalid, required,
                .describedBy(description), focus(hasFocus)
            ) { html in
                // The HTML parser drops a line break right after the start tag. This one is dropped instead of a
                // line break of the value.
                html.literal("\n")
                html.text(value)
            }
        case .number(let value, let step, let allowsNegative):
            // The type is not `number`: for invalid input browsers submit an empty value, and the typed text is
            // lost. Digit keyboards of some phones have no minus.
            html.void(
                "input", .type("text"), .class("number"), .id(id), .name(name), .value(value),
                Attribute("inputmode", allowsNegative ? nil : step == "1" ? "numeric" : "decimal"), invalid, required,
                .describedBy(description), focus(hasFocus))
        case .url(let value):
            html.void(
                "input", .type("url"), .id(id), .name(name), .value(value), invalid, required,
                .describedBy(description), focus(hasFocus))
        case .date(let value):
            html.void(
                "input", .type("date"), .id(id), .name(name), .value(value), invalid, .flag("required", isRequired),
                .describedBy(description), focus(hasFocus))
        case .dateTime(let value, let zone):
            html.void(
                "input", .type("datetime-local"), .id(id), .name(name), .value(value), Attribute("step", "1"), invalid,
                .flag("required", isRequired), .describedBy(description), Attribute("data-zone", zone), focus(hasFocus))
        case .select(let options, let selected, let prompt):
            select(options, selected: selected, prompt: prompt, hasFocus: hasFocus, into: &html)
        case .secret(let clearing, let isClearing):
            secret(clearing: clearing, isClearing: isClearing, hasFocus: hasFocus, into: &html)
        case .accountName(let value, let isFixed):
            html.void(
                "input", .type("text"), .id(id), .name(name), .value(value), Attribute("autocomplete", "username"),
                .flag("readonly", isFixed),
                Attribute("autocapitalize", "none"), Attribute("spellcheck", "false"), invalid, required,
                .describedBy(description), focus(hasFocus))
        case .password(let kind):
            html.void(
                "input", .type("password"), .id(id), .name(name),
                Attribute("autocomplete", kind == .current ? "current-password" : "new-password"), invalid, required,
                .describedBy(description), focus(hasFocus))
        case .oneTimeCode:
            // The input mode is not `numeric`, because recovery codes contain letters.
            html.void(
                "input", .type("text"), .id(id), .name(name), Attribute("autocomplete", "one-time-code"),
                Attribute("autocapitalize", "characters"), Attribute("spellcheck", "false"), invalid, required,
                .describedBy(description), focus(hasFocus))
        case .file(let accept):
            html.void(
                "input", .type("file"), .id(id), .name(name), Attribute("accept", accept), invalid,
                .flag("required", isRequired),
                .describedBy(description), focus(hasFocus))
        case .fixed(let text):
            html.element("output", .class("fixed"), .id(id), Attribute("dir", "auto"), text: text)
        case .toggle, .segments, .entries, .picker:
            break
        }
    }

    var invalid: Attribute { Attribute("aria-invalid", error == nil ? nil : "true") }
    var required: Attribute { Attribute("aria-required", isRequired ? "true" : nil) }
    func focus(_ isOn: Bool) -> Attribute { .flag("autofocus", isOn) }
}

extension Field {
    func select(
        _ options: [Option], selected: String?, prompt: String?, hasFocus: Bool, into html: inout HTML
    ) {
        html.element(
            "select", .id(id), .name(name), invalid, required, .describedBy(description), focus(hasFocus)
        ) { html in
            if let prompt {
                html.element("option", .value(""), text: prompt)
            }
            for option in options {
                let isSelected = option.value == selected
                html.element("option", .value(option.value), .flag("selected", isSelected), text: option.label)
            }
        }
    }

    /// Writes the segments. The focusable radio button has the id of the field, so that links to the field focus
    /// it.
    func segments(_ options: [Option], selected: String?, hasFocus: Bool, into html: inout HTML) {
        let reached = options.firstIndex { $0.value == selected } ?? options.startIndex
        html.literal(#"<div class="segments">"#)
        for (index, option) in options.enumerated() {
            let isReached = index == reached
            html.literal("<label>")
            html.void(
                "input", .type("radio"), .id(isReached ? id : "\(id)-\(index)"), .name(name), .value(option.value),
                .flag("checked", option.value == selected), invalid, required, focus(hasFocus && isReached))
            html.element("span", text: option.label)
            html.literal("</label>")
        }
        html.literal("</div>")
    }

    /// Writes the switch. A hidden value is sent alone when the switch is off; the value of the switch overrides it
    /// when it is on.
    func toggle(isOn: Bool, hasFocus: Bool, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value("false"))
        html.void(
            "input", .type("checkbox"), .role("switch"), .id(id), .name(name), .value("true"), .flag("checked", isOn),
            invalid, .describedBy(description), focus(hasFocus))
    }
}

extension Field {
    /// Writes a password field without a value: neither the stored text nor a typed one is sent to the browser.
    func secret(clearing: String?, isClearing: Bool, hasFocus: Bool, into html: inout HTML) {
        html.void(
            "input", .type("password"), .id(id), .name(name), Attribute("autocomplete", "new-password"),
            Attribute("spellcheck", "false"), invalid, required, .describedBy(description), focus(hasFocus))
        guard let clearing else { return }
        html.element("label", .class("clear")) { html in
            html.void("input", .type("checkbox"), .name(clearing), .value("true"), .flag("checked", isClearing))
            html.literal(" ")
            html.text(localized("Remove saved value"))
        }
    }
}
