import AviaryLocalization

/// A table in a page of an application's own: rows of values, links and buttons, without ticks and sorting.
///
/// On a narrow page it has the layout of the lists: the first cell is the title of its row, and the other cells carry
/// the titles of their columns.
package struct ContentTable: Sendable, Component {
    package enum Cell: Sendable {
        case value(TableCell)
        case button(PostButton)
    }

    let caption: String
    let columns: [TableColumn]
    let rows: [[Cell]]

    /// Creates a table.
    ///
    /// A column of numbers only is aligned at its end. A row with fewer cells than columns ends with empty ones, and
    /// cells without a column are left out.
    ///
    /// - Parameters:
    ///   - caption: The name of the table for screen readers.
    ///   - columns: The titles of the columns.
    ///   - rows: The cells, row by row.
    package init(caption: String, columns: [String], rows: [[Cell]]) {
        self.caption = caption
        self.rows = rows.map { row in
            columns.indices.map { $0 < row.count ? row[$0] : .value(.empty) }
        }
        let cells = self.rows
        self.columns = columns.enumerated().map { index, title in
            TableColumn(
                title: title, sortHref: nil, alignment: Self.isNumeric(cells.map { $0[index] }) ? .trailing : .leading,
                needsLabel: true)
        }
    }

    package func render(into html: inout HTML) {
        // A table that is wider than its page scrolls in a region, which keys can reach.
        html.element("div", .class("frame"), Attribute("tabindex", "0"), .role("region"), .label(caption)) { html in
            html.element("table", .class("records")) { html in
                html.element("caption", .class("spoken"), text: caption)
                html.literal("<thead><tr>")
                for column in columns { column.render(into: &html) }
                html.literal("</tr></thead><tbody>")
                for row in rows { render(row, into: &html) }
                html.literal("</tbody>")
            }
        }
    }

    private func render(_ row: [Cell], into html: inout HTML) {
        html.literal("<tr>")
        for (index, cell) in row.enumerated() {
            switch cell {
            case .value(let value) where index == 0:
                html.element("th", Attribute("scope", "row")) { value.content(into: &$0) }
            case .value(let value):
                value.render(in: columns[index], into: &html)
            case .button(let button):
                html.element("td") { $0.render(button) }
            }
        }
        html.literal("</tr>")
    }

    private static func isNumeric(_ cells: [Cell]) -> Bool {
        var hasNumber = false
        for cell in cells {
            switch cell {
            case .value(.number): hasNumber = true
            case .value(.empty): continue
            default: return false
            }
        }
        return hasNumber
    }
}
