import AviaryLocalization

extension Field {
    /// No value: what is stored is not sent to a browser, and neither is what was typed.
    func secret(clearing: String?, isClearing: Bool, hasFocus: Bool, into html: inout HTML) {
        html.void(
            "input", .type("password"), .id(id), .name(name), Attribute("autocomplete", "new-password"),
            Attribute("spellcheck", "false"), invalid, required, .describedBy(description), focus(hasFocus))
        guard let clearing else { return }
        html.element("label", .class("clear")) { html in
            html.void("input", .type("checkbox"), .name(clearing), .value("true"), .flag("checked", isClearing))
            html.literal(" ")
            html.text(localized("Remove what is stored"))
        }
    }
}
