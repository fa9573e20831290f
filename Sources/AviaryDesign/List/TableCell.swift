import AviaryLocalization

/// A value as a list shows it.
package enum TableCell: Sendable {
    case text(String)
    case number(String)
    /// A coloured dot and a word; `hue` is a place on the palette, 0 to 7.
    case choice(label: String, hue: Int)
    case flag(Bool)
    /// A time in words, with the exact one on hover and for machines.
    case date(machine: String, shown: String)
    case link(title: String, href: String)
    case empty
}

// Written by literals alone: a list has hundreds of cells, and nothing here may allocate.
extension TableCell {
    /// Writes a whole `td`.
    ///
    /// - Parameter column: Says where the content stands, and what it is called where rows do not stand below their heads.
    func render(in column: TableColumn?, into html: inout HTML) {
        let trailing = column?.alignment == .trailing
        switch self {
        case .text, .choice, .flag, .link:
            html.literal(trailing ? #"<td class="trailing""# : "<td")
        case .number, .date:
            html.literal(trailing ? #"<td class="number trailing""# : #"<td class="number""#)
        case .empty:
            html.literal(trailing ? #"<td class="none trailing""# : #"<td class="none""#)
        }
        if let column, column.needsLabel, !isEmpty {
            html.literal(#" data-label=""#)
            html.text(column.title)
            html.literal("\"")
        }
        html.literal(">")
        content(into: &html)
        html.literal("</td>")
    }

    private var isEmpty: Bool { if case .empty = self { true } else { false } }

    /// Writes what stands in the cell.
    func content(into html: inout HTML) {
        switch self {
        case .text(let text):
            html.literal("<bdi>")
            html.text(text)
            html.literal("</bdi>")
        case .number(let number):
            html.text(number)
        case .choice(let label, let hue):
            html.literal(#"<span class="choice hue-"#)
            html.text(hue & 7)
            html.literal(#"">"#)
            html.text(label)
            html.literal("</span>")
        case .flag(let isOn):
            html.literal(isOn ? #"<span class="flag on">"# : #"<span class="flag">"#)
            html.text(isOn ? localized("Yes") : localized("No"))
            html.literal("</span>")
        case .date(let machine, let shown):
            html.literal(#"<time datetime=""#)
            html.text(machine)
            html.literal(#"" title=""#)
            html.text(machine)
            html.literal(#"">"#)
            html.text(shown)
            html.literal("</time>")
        case .link(let title, let href):
            html.literal(#"<a href=""#)
            html.link(href)
            html.literal(#""><bdi>"#)
            html.text(title)
            html.literal("</bdi></a>")
        case .empty:
            break
        }
    }
}

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

package enum SortDirection: Sendable {
    case ascending, descending

    var name: String { self == .ascending ? "ascending" : "descending" }
    var icon: Icon { self == .ascending ? .ascending : .descending }
}

/// A record in a list. Its first cell is its name and leads to `href`.
package struct TableRow: Sendable {
    let id: String
    let href: String
    let title: String
    let cells: [TableCell]

    /// - Parameter title: what the record is called where its row speaks of it: “Select …”, “Delete …”.
    package init(id: String, href: String, title: String, cells: [TableCell]) {
        self.id = id
        self.href = href
        self.title = title
        self.cells = cells
    }
}

// Written by literals alone: see `TableCell.render`.
extension TableRow {
    func render(columns: [TableColumn], selection: RowSelection?, deletion: RowDeletion?, into html: inout HTML) {
        html.literal("<tr>")
        selection?.render(id: id, title: title, into: &html)
        html.literal(#"<th scope="row"><a href=""#)
        html.link(href)
        html.literal(#"">"#)
        name(into: &html)
        html.literal("</a></th>")
        for index in cells.indices.dropFirst() {
            cells[index].render(in: index < columns.count ? columns[index] : nil, into: &html)
        }
        if let deletion {
            deletion.render(id: id, title: title, into: &html)
        } else if selection != nil {
            html.literal(#"<td class="act"></td>"#)
        }
        html.literal("</tr>")
    }

    /// A name that is missing, or would be a link in a link, is told by the record's title.
    private func name(into html: inout HTML) {
        switch cells.first {
        case .link(let title, _):
            html.text(title)
        case .text(""), .empty, nil:
            html.text(title)
        case .some(let cell):
            cell.content(into: &html)
        }
    }
}
