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
                // The parser drops a first line break; this one goes instead of the value's own.
                html.literal("\n")
                html.text(value)
            }
        case .number(let value, let step, let allowsNegative):
            // Not type="number": browsers submit that as empty when it is not a number, and the typed text is lost.
            // Digit keyboards of some phones have no minus.
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
        case .dateTime(let value):
            html.void(
                "input", .type("datetime-local"), .id(id), .name(name), .value(value), Attribute("step", "1"), invalid,
                .flag("required", isRequired), .describedBy(description), focus(hasFocus))
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
            // Not inputmode="numeric": a recovery code has letters.
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
