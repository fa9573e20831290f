import AviaryLocalization

/// Everything that a list can be narrowed by: a form that leads to the narrowed list.
package struct FilterPanel: Sendable, Component {
    let action: String
    /// What the address has beside the filters.
    let hidden: [(String, String)]
    let groups: [FilterGroup]
    let closeHref: String
    /// Where no filter is set any more; nil when none is.
    let removeHref: String?

    package init(
        action: String, hidden: [(String, String)], groups: [FilterGroup], closeHref: String, removeHref: String?
    ) {
        self.action = action
        self.hidden = hidden
        self.groups = groups
        self.closeHref = closeHref
        self.removeHref = removeHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="filters" aria-labelledby="filters-title"><h2 id="filters-title">"#)
        html.text(localized("Filters"))
        html.literal(#"</h2>"#)
        html.element("form", .method("get"), .action(action)) { html in
            html.render(HiddenFields(fields: hidden))
            html.literal(#"<div class="filter-groups">"#)
            for group in groups { html.render(group) }
            html.literal(#"</div><div class="actions"><button class="button primary">"#)
            html.text(localized("Show"))
            html.literal(#"</button>"#)
            if let removeHref {
                html.element("a", .class("button"), .href(removeHref), text: localized("Remove filters"))
            }
            html.element("a", .class("button plain"), .href(closeHref), text: localized("Close"))
            html.literal("</div>")
        }
        html.literal("</section>")
    }
}
