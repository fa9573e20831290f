/// A column of a list; its title sorts when there is somewhere to go.
package struct TableColumn: Sendable {
    package enum Alignment: Sendable {
        case leading, trailing
    }

    let title: String
    let sortHref: String?
    let sort: SortDirection?
    let alignment: Alignment
    /// Whether nobody could tell from a value alone what it is: a number, a day, a yes.
    let needsLabel: Bool

    package init(
        title: String, sortHref: String?, sort: SortDirection? = nil, alignment: Alignment = .leading,
        needsLabel: Bool = false
    ) {
        self.title = title
        self.sortHref = sortHref
        self.sort = sort
        self.alignment = alignment
        self.needsLabel = needsLabel
    }

    func render(into html: inout HTML) {
        html.element(
            "th", Attribute("scope", "col"), Attribute("class", alignment == .trailing ? "trailing" : nil),
            Attribute("aria-sort", sort?.name)
        ) { html in
            guard let sortHref else { return html.text(title) }
            html.element("a", .href(sortHref)) { html in
                html.text(title)
                if let sort { html.render(sort.icon) }
            }
        }
    }
}
