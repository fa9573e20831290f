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

    /// The field's id stands on the radio button that the keyboard reaches, so that links to the field focus it.
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

    /// The hidden value is sent alone when the switch is off, and is overruled when it is on.
    func toggle(isOn: Bool, hasFocus: Bool, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value("false"))
        html.void(
            "input", .type("checkbox"), .role("switch"), .id(id), .name(name), .value("true"), .flag("checked", isOn),
            invalid, .describedBy(description), focus(hasFocus))
    }
}
