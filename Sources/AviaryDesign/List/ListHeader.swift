import AviaryLocalization

/// The header of a list: the title, the number of records, and the link to add one.
package struct ListHeader: Sendable, Component {
    let title: String
    let count: Int?
    /// The number of matching records as text; nil without a search.
    let matches: String?
    let addTitle: String
    /// The address of the new record's sheet; nil without permission to add.
    let addHref: String?

    package init(title: String, count: Int?, matches: String? = nil, addTitle: String, addHref: String?) {
        self.title = title
        self.count = count
        self.matches = matches
        self.addTitle = addTitle
        self.addHref = addHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<header class="list-header"><h1>"#)
        html.text(title)
        html.literal("</h1>")
        if let count {
            html.literal(#"<span class="count" data-count=""#)
            html.text(count)
            if let matches {
                html.literal(#"" data-matching>"#)
                html.text(localized("\(matches) of \(NumberText.grouped(count))"))
            } else {
                html.literal(#"">"#)
                html.grouped(count)
            }
            html.literal("</span>")
        }
        if let addHref { html.element("a", .class("button primary"), .href(addHref), text: addTitle) }
        html.literal("</header>")
    }
}

/// The position in the list, with links to the adjacent pages.
package struct PageFooter: Sendable, Component {
    let summary: String
    let previousHref: String?
    let previousTitle: String
    let nextHref: String?
    let nextTitle: String

    package init(
        summary: String, previousHref: String?, previousTitle: String = localized("Previous"), nextHref: String?,
        nextTitle: String = localized("Next")
    ) {
        self.summary = summary
        self.previousHref = previousHref
        self.previousTitle = previousTitle
        self.nextHref = nextHref
        self.nextTitle = nextTitle
    }

    package func render(into html: inout HTML) {
        html.literal(#"<nav class="page-footer" aria-label=""#)
        html.text(localized("Pages"))
        html.literal(#""><span data-summary>"#)
        html.text(summary)
        html.literal("</span>")
        if let previousHref {
            html.element("a", .class("button"), .href(previousHref), Attribute("rel", "prev")) { html in
                html.render(Icon.previous)
                html.text(previousTitle)
            }
        }
        if let nextHref {
            html.element("a", .class("button"), .href(nextHref), Attribute("rel", "next")) { html in
                html.text(nextTitle)
                html.render(Icon.next)
            }
        }
        html.literal("</nav>")
    }
}

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

/// A form that chooses the columns of a list in this browser.
package struct ColumnPanel: Sendable, Component {
    package struct Column: Sendable {
        let name: String
        let title: String
        let isShown: Bool

        package init(name: String, title: String, isShown: Bool) {
            self.name = name
            self.title = title
            self.isShown = isShown
        }
    }

    /// The columns. The first one links to the record and is always visible.
    let columns: [Column]
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let closeHref: String

    package init(columns: [Column], action: String, csrf: String, hidden: [(String, String)], closeHref: String) {
        self.columns = columns
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.closeHref = closeHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="filters" aria-labelledby="columns-title"><h2 id="columns-title">"#)
        html.text(localized("Columns"))
        html.literal(#"</h2>"#)
        html.element("form", .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.literal(#"<fieldset class="filter"><legend>"#)
            html.text(localized("Columns shown in this browser"))
            html.literal(#"</legend><div class="boxes">"#)
            for (index, column) in columns.enumerated() {
                html.literal("<label>")
                html.void(
                    "input", .type("checkbox"), .name("column"), .value(column.name),
                    .flag("checked", column.isShown || index == 0),
                    .flag("disabled", index == 0)
                )
                html.literal("<bdi>")
                html.text(column.title)
                html.literal("</bdi></label>")
            }
            html.literal(#"</div></fieldset><div class="actions"><button class="button primary">"#)
            html.text(localized("Apply"))
            html.literal(#"</button>"#)
            html.literal(#"<button class="button" name="all" value="1">"#)
            html.text(localized("Show all"))
            html.literal(#"</button>"#)
            html.element("a", .class("button plain"), .href(closeHref), text: localized("Close"))
            html.literal("</div>")
        }
        html.literal("</section>")
    }
}
