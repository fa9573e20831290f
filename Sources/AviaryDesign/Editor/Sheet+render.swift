import AviaryLocalization

extension Sheet {
    package func render(into html: inout HTML) {
        html.element(
            "form", .id("sheet-form"), .method("post"), .action(action), .flag("novalidate"),
            Attribute("autocomplete", "off"), Attribute("data-draft", draftAction), Attribute("data-address", address),
            Attribute("data-copy", copy)
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
        html.element("form", .id("discard-form"), .method("post"), .action(discardAction)) { html in
            html.render(hiddenFields)
        }
        answers(into: &html)
    }

    /// For scripts, which put in what they have to say.
    private func answers(into html: inout HTML) {
        for (name, kind) in [("information", Notice.Kind.information), ("warning", .warning), ("failure", .failure)] {
            html.element("template", Attribute("data-notice", name)) { $0.render(Notice(kind, "")) }
        }
    }

    /// Enter in a field presses the form's first button: Cancel comes before Save, so it belongs to another form.
    private func header(into html: inout HTML) {
        html.literal(#"<header class="sheet-header">"#)
        html.element(
            "button", .type("submit"), .class("button plain"), .form("discard-form"), .flag("formnovalidate"),
            .flag("data-cancel"), text: cancelTitle)
        html.literal(#"<div class="sheet-title"><h2 id="dialog-title">"#)
        html.text(title)
        html.literal("</h2>")
        if let subtitle { html.element("p", Attribute("dir", "auto"), text: subtitle) }
        html.literal("</div>")
        html.element("button", .type("submit"), .class("button primary"), .flag("data-save"), text: saveTitle)
        html.literal("</header>")
    }

    private func footer(into html: inout HTML) {
        html.literal(#"<footer class="sheet-footer">"#)
        html.element("p", .class("draft-note"), .role("status"), .flag("data-draft-status"), text: draftNote)
        html.literal(#"<div class="actions">"#)
        html.element(
            "button", .type("submit"), .class("button plain"), .formAction(draftAction), .flag("formnovalidate"),
            .flag("data-keep"), text: localized("Keep as draft"))
        if let saveAnd {
            html.element(
                "button", .type("submit"), .class("button"), .name(saveAnd.name), .value(saveAnd.value),
                .flag("data-save-and"),
                text: saveAnd.title)
        }
        html.literal("</div></footer>")
    }
}
