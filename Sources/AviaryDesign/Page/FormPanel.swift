import AviaryLocalization

/// A form within a page, with one or more submit buttons.
package struct FormPanel: Sendable, Component {
    /// A submit button with the name and value that it sends. A form with a file ignores them, because the button's
    /// field comes after the file.
    package struct Submit: Sendable {
        let title: String
        let name: String?
        let value: String?
        let isPrimary: Bool

        package init(_ title: String, name: String? = nil, value: String? = nil, isPrimary: Bool = false) {
            self.title = title
            self.name = name
            self.value = value
            self.isPrimary = isPrimary
        }
    }

    let title: String
    let text: [String]
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let fields: [Field]
    let submits: [Submit]
    let alternative: (title: String, href: String)?
    /// Indicates whether the form changes nothing and sends its fields in the address, without a token.
    package var isQuery = false
    /// A group of further fields with its own heading; nil for none.
    package var group: Group?

    /// A group of fields of a form.
    package struct Group: Sendable {
        let title: String
        let fields: [Field]

        package init(title: String, fields: [Field]) {
            self.title = title
            self.fields = fields
        }
    }

    package init(
        title: String, text: [String] = [], action: String, csrf: String, hidden: [(String, String)] = [],
        fields: [Field], submits: [Submit],
        alternative: (title: String, href: String)? = nil
    ) {
        self.title = title
        self.text = text
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.fields = fields
        self.submits = submits
        self.alternative = alternative
    }

    package func render(into html: inout HTML) {
        Panel(title: title, text: text).render(into: &html) { renderForm(into: &$0) }
    }

    /// Writes the form alone, without the panel and its title.
    package func renderForm(into html: inout HTML) {
        html.element(
            "form", .class("field-form"), .method(isQuery ? "get" : "post"), Attribute("enctype", encoding),
            .action(action)
        ) { html in
            html.render(HiddenFields(csrf: isQuery ? nil : csrf, fields: hidden))
            for field in fields { field.render(hasFocus: false, into: &html) }
            if let group {
                html.element("fieldset", .class("field-group")) { html in
                    html.element("legend", text: group.title)
                    for field in group.fields { field.render(hasFocus: false, into: &html) }
                }
            }
            html.element("div", .class("actions")) { html in
                for submit in submits {
                    html.element(
                        "button", .class(submit.isPrimary ? "button primary" : "button"),
                        Attribute("name", submit.name),
                        Attribute("value", submit.value),
                        text: submit.title
                    )
                }
                if let alternative {
                    html.element("a", .class("button"), .href(alternative.href), text: alternative.title)
                }
            }
        }
    }

    private var encoding: String? {
        (fields + (group?.fields ?? [])).lazy.compactMap(\.control.encoding).first
    }
}

/// A short form that fills a page, such as the sign-in or a new password.
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
    /// Indicates whether submitting the form destroys something, so that its button has the colour of danger.
    let isDangerous: Bool
    let alternative: (title: String, href: String)?
    /// Indicates whether a field receives the focus, for a page of its own.
    package var takesFocus = true

    package init(
        title: String, text: [String] = [], notices: [Notice] = [], action: String, csrf: String,
        hidden: [(String, String)] = [], key: SecretKey? = nil, fields: [Field] = [], submitTitle: String,
        isDangerous: Bool = false, alternative: (title: String, href: String)? = nil
    ) {
        self.isDangerous = isDangerous
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
            html.element("button", .class(isDangerous ? "button danger" : "button primary"), text: submitTitle)
        }
        if let alternative {
            html.element("a", .class("alternative"), .href(alternative.href), text: alternative.title)
        }
        html.literal("</section>")
    }

    /// The index of the first field with an error, else of the first empty field, else of the first field.
    private var focusedField: Int? {
        fields.firstIndex { $0.error != nil } ?? fields.firstIndex { !$0.control.hasText } ?? fields.indices.first
    }
}

/// A form with one field and its button, for a panel.
package struct FieldForm: Sendable, Component {
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let field: Field
    let submitTitle: String

    package init(action: String, csrf: String, hidden: [(String, String)] = [], field: Field, submitTitle: String) {
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.field = field
        self.submitTitle = submitTitle
    }

    package func render(into html: inout HTML) {
        html.element(
            "form", .class("field-form"), .method("post"), Attribute("enctype", field.control.encoding), .action(action)
        ) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            field.render(hasFocus: false, into: &html)
            html.element("button", .class("button"), text: submitTitle)
        }
    }
}

/// A form of filters for a page. It uses GET, so the address contains all filters.
package struct FilterForm: Sendable, Component {
    let action: String
    let fields: [Field]
    /// Indicates whether a filter is active; the form is then expanded.
    let isActive: Bool
    let clearHref: String

    package init(action: String, fields: [Field], isActive: Bool, clearHref: String) {
        self.action = action
        self.fields = fields
        self.isActive = isActive
        self.clearHref = clearHref
    }

    package func render(into html: inout HTML) {
        html.element("details", .class("filter-panel"), .flag("open", isActive)) { html in
            html.literal(#"<summary class="button">"#)
            html.render(Icon.filter)
            html.text(localized("Filters"))
            html.literal("</summary>")
            html.element("form", .method("get"), .action(action)) { html in
                for field in fields { field.render(hasFocus: false, into: &html) }
                html.literal(#"<div class="actions"><button class="button primary">"#)
                html.text(localized("Apply"))
                html.literal(#"</button>"#)
                if isActive {
                    html.element("a", .class("button plain"), .href(clearHref), text: localized("Clear filters"))
                }
                html.literal("</div>")
            }
        }
    }
}

/// A button that submits a form of its own.
package struct PostButton: Sendable, Component {
    package enum Style: Sendable {
        case normal, primary, danger, plain
    }

    let title: String
    /// The subject of the action, for screen readers; the button's position shows it to others.
    let subject: String?
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let style: Style

    package init(
        _ title: String, about subject: String? = nil, action: String, csrf: String, hidden: [(String, String)] = [],
        style: Style = .normal
    ) {
        self.title = title
        self.subject = subject
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.style = style
    }

    package func render(into html: inout HTML) {
        html.element("form", .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.element("button", .class(classes)) { html in
                html.text(title)
                if let subject {
                    html.literal(#"<span class="spoken"> "#)
                    html.text(subject)
                    html.literal("</span>")
                }
            }
        }
    }

    private var classes: String {
        switch style {
        case .normal: "button"
        case .primary: "button primary"
        case .danger: "button danger"
        case .plain: "button plain"
        }
    }
}

/// The hidden fields of a form.
struct HiddenFields: Component {
    var csrf: String?
    var fields: [(String, String)] = []

    func render(into html: inout HTML) {
        if let csrf { write("csrf", csrf, into: &html) }
        for (name, value) in fields { write(name, value, into: &html) }
    }

    private func write(_ name: String, _ value: String, into html: inout HTML) {
        html.void("input", .type("hidden"), .name(name), .value(value))
    }
}
