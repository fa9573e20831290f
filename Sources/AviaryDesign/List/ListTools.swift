import AviaryLocalization

/// The tools above a list: search, filters, and a menu of less frequent actions.
package struct ListTools: Sendable, Component {
    /// The search field of a list.
    package struct Search: Sendable {
        let label: String
        let value: String
        let action: String
        /// The query parameters of the address other than the search.
        let hidden: [(String, String)]

        package init(label: String, value: String, action: String, hidden: [(String, String)]) {
            self.label = label
            self.value = value
            self.action = action
            self.hidden = hidden
        }
    }

    /// The button that opens or closes the filter panel.
    package struct Filters: Sendable {
        let href: String
        let isOpen: Bool
        let count: Int

        package init(href: String, isOpen: Bool, count: Int) {
            self.href = href
            self.isOpen = isOpen
            self.count = count
        }
    }

    package struct Item: Sendable {
        let title: String
        let href: String
        let isDangerous: Bool

        package init(_ title: String, href: String, isDangerous: Bool = false) {
            self.title = title
            self.href = href
            self.isDangerous = isDangerous
        }
    }

    let search: Search?
    let filters: Filters?
    let items: [Item]

    package init(search: Search?, filters: Filters?, items: [Item]) {
        self.search = search
        self.filters = filters
        self.items = items
    }

    package func render(into html: inout HTML) {
        guard search != nil || filters != nil || !items.isEmpty else { return }
        html.literal(#"<div class="list-tools">"#)
        if let search { field(search, into: &html) }
        if let filters { link(filters, into: &html) }
        if !items.isEmpty { menu(into: &html) }
        html.literal("</div>")
    }

    private func field(_ search: Search, into html: inout HTML) {
        html.element("form", .class("search"), .role("search"), .method("get"), .action(search.action)) { html in
            html.render(HiddenFields(fields: search.hidden))
            html.literal(#"<button aria-label=""#)
            html.text(localized("Search"))
            html.literal(#"">"#)
            html.render(Icon.search)
            html.literal("</button>")
            html.void(
                "input", .type("search"), .name("q"), .value(search.value), .label(search.label),
                Attribute("placeholder", localized("Search")),
                Attribute("maxlength", "200"), Attribute("autocomplete", "off"), Attribute("dir", "auto"),
                Attribute("enterkeyhint", "search"),
                .flag("data-search")
            )
        }
    }

    private func link(_ filters: Filters, into html: inout HTML) {
        html.element(
            "a", .class(filters.isOpen ? "button pressed" : "button"), .href(filters.href), .flag("data-filters")
        ) { html in
            html.render(Icon.filter)
            if filters.isOpen {
                html.literal(#"<span><span class="spoken">"#)
                html.text(localized("Close"))
                html.literal(" </span>")
                html.text(localized("Filters"))
                html.literal("</span>")
            } else {
                html.text(localized("Filters"))
            }
            guard filters.count > 0 else { return }
            html.literal(#" <span class="badge">"#)
            html.text(filters.count)
            html.literal(#"<span class="spoken"> "#)
            html.text(localized("active"))
            html.literal("</span></span>")
        }
    }

    private func menu(into html: inout HTML) {
        html.literal(#"<details class="list-menu" data-menu><summary class="button">"#)
        html.render(Icon.more)
        html.literal(#"<span class="spoken">"#)
        html.text(localized("More"))
        html.literal(#"</span></summary><ul>"#)
        for item in items {
            html.literal("<li>")
            html.element("a", Attribute("class", item.isDangerous ? "danger" : nil), .href(item.href), text: item.title)
            html.literal("</li>")
        }
        html.literal("</ul></details>")
    }
}
