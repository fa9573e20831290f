import AviaryLocalization

/// Everything that keeps a form from being saved, each with the way to its field.
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
