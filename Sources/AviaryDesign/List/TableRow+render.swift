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
