/// The list itself: a form, so that ticked rows can be deleted where no script runs. Where nothing may be deleted it is a
/// table and no more.
package struct RecordTable: Sendable, Component {
    let columns: [TableColumn]
    let rows: [TableRow]
    let deleteAction: String?
    let caption: String
    let returnTo: String?

    package init(columns: [TableColumn], rows: [TableRow], deleteAction: String?, caption: String, returnTo: String?) {
        self.columns = columns
        self.rows = rows
        self.deleteAction = deleteAction
        self.caption = caption
        self.returnTo = returnTo
    }

    package func render(into html: inout HTML) {
        guard let deleteAction else {
            html.literal(#"<div class="list">"#)
            table(deletion: nil, into: &html)
            html.literal("</div>")
            return
        }
        html.element("form", .class("list"), .method("get"), .action(deleteAction), .flag("data-list")) { html in
            if let returnTo {
                html.render(HiddenFields(fields: [("return", returnTo)]))
            }
            table(deletion: RowDeletion(action: deleteAction, returnTo: returnTo), into: &html)
            html.literal(#"<div class="selection" data-selection><span class="selected" role="status" data-selected>"#)
            html.literal(#"</span><button class="button danger">Delete…</button></div>"#)
        }
    }

    private func table(deletion: RowDeletion?, into html: inout HTML) {
        html.literal(#"<div class="frame"><table class="records"><caption class="spoken">"#)
        html.text(caption)
        html.literal("</caption><thead><tr>")
        if deletion != nil {
            html.literal(#"<th class="tick" scope="col" data-select-all><span class="spoken">Select</span></th>"#)
        }
        for column in columns { column.render(into: &html) }
        if deletion != nil { html.literal(#"<th class="act" scope="col"><span class="spoken">Delete</span></th>"#) }
        html.literal("</tr></thead><tbody>")
        for row in rows {
            row.render(columns: columns, deletion: deletion, into: &html)
        }
        html.literal("</tbody></table></div>")
    }
}
