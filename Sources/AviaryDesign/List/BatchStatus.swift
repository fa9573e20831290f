import AviaryLocalization

/// How far something is that is done with many records. A form goes on with the next part; a script sends it by itself.
package struct BatchStatus: Sendable, Component {
    let title: String
    let text: String
    /// Why it stopped.
    let problem: String?
    let isFinished: Bool
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let backTitle: String
    let backHref: String

    package init(
        title: String, text: String, problem: String?, isFinished: Bool, action: String, csrf: String,
        hidden: [(String, String)], backTitle: String, backHref: String
    ) {
        self.title = title
        self.text = text
        self.problem = problem
        self.isFinished = isFinished
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.backTitle = backTitle
        self.backHref = backHref
    }

    package func render(into html: inout HTML) {
        html.element(
            "section", .class("question"), .labelledBy("dialog-title"), .flag("data-batch"), .flag("data-stopped", problem != nil)
        ) { html in
            html.element("h1", .id("dialog-title"), text: title)
            html.element("p", .role("status"), .flag("data-batch-text"), text: text)
            if !isFinished { html.literal(#"<progress aria-labelledby="dialog-title"></progress>"#) }
            if let problem { html.render(Notice(.failure, problem)) }
            html.literal(#"<div class="actions">"#)
            html.element("a", .class(isFinished ? "button primary" : "button"), .href(backHref), text: backTitle)
            if !isFinished {
                html.element("form", .method("post"), .action(action)) { html in
                    html.render(HiddenFields(csrf: csrf, fields: hidden))
                    html.literal(#"<button class="button primary">"#)
                    html.text(localized("Continue"))
                    html.literal(#"</button>"#)
                }
            }
            html.literal("</div>")
        }
    }
}
