import AviaryLocalization

/// A confirmation question for an action that affects other records.
package struct Question: Sendable, Component {
    let title: String
    let text: [String]
    /// The links of names in the text.
    let links: [LinkedText.Link]
    /// The title of the button that confirms; nil when there is nothing to confirm.
    let confirmTitle: String?
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let cancelHref: String
    /// The id of the title, for a page of its own. Several questions on one page need different ids.
    package var titleID = "dialog-title"

    package init(
        title: String, text: [String], links: [LinkedText.Link] = [], confirmTitle: String?, action: String,
        csrf: String,
        hidden: [(String, String)], cancelHref: String
    ) {
        self.title = title
        self.text = text
        self.links = links
        self.confirmTitle = confirmTitle
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.cancelHref = cancelHref
    }

    package func render(into html: inout HTML) {
        html.element("section", .class("question"), .labelledBy(titleID)) { html in content(into: &html) }
    }

    private func content(into html: inout HTML) {
        html.element("h1", .id(titleID), text: title)
        for line in text { html.element("p", Attribute("dir", "auto")) { $0.render(LinkedText(line, links: links)) } }
        guard let confirmTitle else {
            html.element("div", .class("actions")) {
                $0.element("a", .class("button"), .href(cancelHref), text: localized("Back"))
            }
            return
        }
        html.element("form", .class("actions"), .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.element("a", .class("button"), .href(cancelHref), text: localized("Cancel"))
            html.element("button", .class("button danger"), text: confirmTitle)
        }
    }
}
