/// A short form that is the page: signing in, a new password.
package struct FormCard: Sendable, Component {
    let title: String
    let text: [String]
    let notices: [Notice]
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let key: SecretKey?
    let fields: [Field]
    let submitTitle: String
    let alternative: (title: String, href: String)?
    /// On a page of its own.
    package var takesFocus = true

    package init(
        title: String, text: [String] = [], notices: [Notice] = [], action: String, csrf: String,
        hidden: [(String, String)] = [], key: SecretKey? = nil, fields: [Field] = [], submitTitle: String,
        alternative: (title: String, href: String)? = nil
    ) {
        self.title = title
        self.text = text
        self.notices = notices
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.key = key
        self.fields = fields
        self.submitTitle = submitTitle
        self.alternative = alternative
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="form-card"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        for line in text { html.element("p", Attribute("dir", "auto"), text: line) }
        for notice in notices { html.render(notice) }
        if let key { html.render(key) }
        html.element("form", .method("post"), .action(action), .flag("novalidate")) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            for (index, field) in fields.enumerated() {
                field.render(hasFocus: takesFocus && index == focusedField, into: &html)
            }
            html.element("button", .class("button primary"), text: submitTitle)
        }
        if let alternative {
            html.element("a", .class("alternative"), .href(alternative.href), text: alternative.title)
        }
        html.literal("</section>")
    }

    /// The first field that is wrong, else the first that is empty, else the first of all.
    private var focusedField: Int? {
        fields.firstIndex { $0.error != nil } ?? fields.firstIndex { !$0.control.hasText } ?? fields.indices.first
    }
}
