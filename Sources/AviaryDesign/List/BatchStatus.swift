import AviaryLocalization

/// How far something is that is done with many records. A form goes on with the next part; a script sends it by itself.
package struct BatchStatus: Sendable, Component {
    let title: String
    let text: String
    /// Why it stopped.
    let problem: String?
    /// What of that leads somewhere.
    let links: [LinkedText.Link]
    let isFinished: Bool
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let backTitle: String
    let backHref: String
    /// The way to take back what is done, where there is one.
    let undo: NoticeAction?
    /// On a page of its own; several on one page have an id each.
    package var titleID = "dialog-title"

    package init(
        title: String, text: String, problem: String?, links: [LinkedText.Link] = [], isFinished: Bool, action: String,
        csrf: String,
        hidden: [(String, String)], backTitle: String, backHref: String, undo: NoticeAction? = nil
    ) {
        self.title = title
        self.text = text
        self.problem = problem
        self.links = links
        self.isFinished = isFinished
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.backTitle = backTitle
        self.backHref = backHref
        self.undo = undo
    }

    package func render(into html: inout HTML) {
        html.element(
            "section", .class("question"), .labelledBy(titleID), .flag("data-batch"),
            .flag("data-stopped", problem != nil)
        ) { html in
            html.element("h1", .id(titleID), text: title)
            html.element("p", .role("status"), .flag("data-batch-text"), text: text)
            if !isFinished { html.element("progress", .labelledBy(titleID)) { _ in } }
            if let problem { html.render(Notice(.failure, problem, links: links)) }
            html.literal(#"<div class="actions">"#)
            if let undo { html.render(undo) }
            html.element("a", .class(isFinished ? "button primary" : "button"), .href(backHref), text: backTitle)
            if !isFinished {
                html.element("form", .method("post"), .action(action), .flag("data-batch-form")) { html in
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
