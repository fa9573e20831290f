/// The list itself: a form, so that ticked rows can be deleted where no script runs.
package struct RecordTable: Sendable, Component {
    let columns: [TableColumn]
    let rows: [TableRow]
    let deleteAction: String
    let caption: String
    let returnTo: String?

    package init(columns: [TableColumn], rows: [TableRow], deleteAction: String, caption: String, returnTo: String?) {
        self.columns = columns
        self.rows = rows
        self.deleteAction = deleteAction
        self.caption = caption
        self.returnTo = returnTo
    }

    package func render(into html: inout HTML) {
        html.element("form", .class("list"), .method("get"), .action(deleteAction), .flag("data-list")) { html in
            if let returnTo {
                html.render(HiddenFields(fields: [("return", returnTo)]))
            }
            table(into: &html)
            html.literal(#"<div class="selection" data-selection><span class="selected" role="status" data-selected>"#)
            html.literal(#"</span><button class="button danger">Delete…</button></div>"#)
        }
    }

    private func table(into html: inout HTML) {
        html.literal(#"<div class="frame"><table class="records"><caption class="spoken">"#)
        html.text(caption)
        html.literal(#"</caption><thead><tr><th class="tick" scope="col" data-select-all>"#)
        html.literal(#"<span class="spoken">Select</span></th>"#)
        for column in columns { column.render(into: &html) }
        html.literal(#"<th class="act" scope="col"><span class="spoken">Delete</span></th></tr></thead><tbody>"#)
        let deletion = RowDeletion(action: deleteAction, returnTo: returnTo)
        for row in rows {
            row.render(columns: columns, deletion: deletion, into: &html)
        }
        html.literal("</tbody></table></div>")
    }
}
