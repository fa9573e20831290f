import AviaryLocalization

/// A value in a cell of a list.
package enum TableCell: Sendable {
    case text(String)
    case number(String)
    /// A choice with a coloured dot; `hue` is the index of the colour in the palette, 0 to 7.
    case choice(label: String, hue: Int)
    case flag(Bool)
    /// A time as text. The exact time is in the tooltip and the machine-readable attribute.
    case date(machine: String, shown: String)
    case link(title: String, href: String)
    case empty
}

// Cells are written with literals only: a list has hundreds of them, so this code must not allocate memory.
extension TableCell {
    /// Writes the `td` element.
    ///
    /// - Parameter column: The column of the cell, which determines its alignment and its label; nil for a cell
    ///   without either. The style sheet shows the label in front of the value where the page is too narrow for a
    ///   header row.
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

    /// Writes the content of the cell.
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

/// A column of a list. The title is a link that sorts the list if `sortHref` is not nil.
package struct TableColumn: Sendable {
    package enum Alignment: Sendable {
        case leading, trailing
    }

    let title: String
    let sortHref: String?
    let sort: SortIndicator?
    let alignment: Alignment
    /// Indicates whether a value needs its column's title to be understood, such as a number, a date or a yes.
    let needsLabel: Bool

    package init(
        title: String, sortHref: String?, sort: SortIndicator? = nil, alignment: Alignment = .leading,
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

package enum SortIndicator: Sendable {
    case ascending, descending

    var name: String { self == .ascending ? "ascending" : "descending" }
    var icon: Icon { self == .ascending ? .ascending : .descending }
}

/// A row of a list. The first cell contains the name of the record and links to `href`.
package struct TableRow: Sendable {
    let id: String
    let href: String
    let title: String
    let cells: [TableCell]
    /// Indicates whether the record was saved just now. The row is then marked.
    let isSaved: Bool

    /// Creates a row.
    ///
    /// - Parameters:
    ///   - title: The name of the record in phrases such as “Select …” and “Delete …”.
    ///   - isSaved: A Boolean value that indicates whether the row is marked as saved just now.
    package init(id: String, href: String, title: String, cells: [TableCell], isSaved: Bool = false) {
        self.isSaved = isSaved
        self.id = id
        self.href = href
        self.title = title
        self.cells = cells
    }
}

// Rows are written with literals only: see `TableCell.render`.
extension TableRow {
    func render(columns: [TableColumn], selection: RowSelection?, deletion: RowDeletion?, into html: inout HTML) {
        html.literal(isSaved ? #"<tr class="saved">"# : "<tr>")
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

    /// Writes the name of the record. The title replaces a missing name, and a link, which cannot be nested.
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
