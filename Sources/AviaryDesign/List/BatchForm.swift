import AviaryLocalization

/// A confirmation form for an action on many records.
package struct BatchForm: Sendable, Component {
    /// A text that the user must type to confirm.
    package struct Confirmation: Sendable {
        let label: String
        let problem: String?

        package init(label: String, problem: String?) {
            self.label = label
            self.problem = problem
        }
    }

    let title: String
    let lines: [String]
    /// The active filters of the list.
    let chips: [String]
    let confirmation: Confirmation?
    let submitTitle: String
    let isDangerous: Bool
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let cancelHref: String
    /// The id of the title, for a page of its own. Several forms on one page need different ids.
    package var titleID = "dialog-title"
    package var takesFocus = true

    package init(
        title: String, lines: [String], chips: [String], confirmation: Confirmation?, submitTitle: String,
        isDangerous: Bool,
        action: String, csrf: String, hidden: [(String, String)], cancelHref: String
    ) {
        self.title = title
        self.lines = lines
        self.chips = chips
        self.confirmation = confirmation
        self.submitTitle = submitTitle
        self.isDangerous = isDangerous
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.cancelHref = cancelHref
    }

    package func render(into html: inout HTML) {
        html.element("section", .class("question"), .labelledBy(titleID)) { html in content(into: &html) }
    }

    private func content(into html: inout HTML) {
        html.element("h1", .id(titleID)) { $0.element("bdi", text: title) }
        if !chips.isEmpty {
            html.literal(#"<ul class="chips">"#)
            for chip in chips {
                html.literal(#"<li class="chip"><bdi>"#)
                html.text(chip)
                html.literal("</bdi></li>")
            }
            html.literal("</ul>")
        }
        for line in lines { html.element("p", Attribute("dir", "auto"), text: line) }
        html.element("form", .class("batch"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            if let confirmation { field(confirmation, into: &html) }
            html.literal(#"<div class="actions">"#)
            html.element("a", .class("button"), .href(cancelHref), text: localized("Cancel"))
            html.element("button", .class(isDangerous ? "button danger" : "button primary"), text: submitTitle)
            html.literal("</div>")
        }
    }

    private func field(_ confirmation: Confirmation, into html: inout HTML) {
        html.element("div", .class(confirmation.problem == nil ? "field" : "field wrong")) { html in
            html.element("label", .class("label"), .for("batch-name"), text: confirmation.label)
            html.void(
                "input", .id("batch-name"), .type("text"), .name("name"), .value(""), Attribute("autocomplete", "off"),
                Attribute("dir", "auto"),
                Attribute("spellcheck", "false"), .flag("required"),
                Attribute("aria-invalid", confirmation.problem == nil ? nil : "true"),
                .describedBy(confirmation.problem == nil ? nil : "error-name"), .flag("autofocus", takesFocus)
            )
            if let problem = confirmation.problem {
                html.element("p", .class("error"), .id("error-name")) { html in
                    html.render(Icon.failure)
                    html.text(problem)
                }
            }
        }
    }
}

/// The progress of an action on many records.
///
/// A form starts the next part. A script submits it automatically.
package struct BatchStatus: Sendable, Component {
    let title: String
    let text: String
    /// The reason why the action stopped.
    let problem: String?
    /// The links in `problem`.
    let links: [LinkedText.Link]
    let isFinished: Bool
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let backTitle: String
    let backHref: String
    /// The action that undoes the completed part, if available.
    let undo: NoticeAction?
    /// The id of the title, for a page of its own. Several forms on one page need different ids.
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
