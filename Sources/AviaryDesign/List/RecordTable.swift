import AviaryLocalization

/// The list itself: a form, so that something can be done with ticked rows where no script runs. Where nothing may be done
/// it is a table and no more.
package struct RecordTable: Sendable, Component {
    /// What can be done with ticked rows, beside deleting them: where the form then leads.
    package struct Actions: Sendable {
        let path: String
        /// By the names that the address has.
        let titles: [(name: String, title: String)]

        package init(path: String, titles: [(name: String, title: String)]) {
            self.path = path
            self.titles = titles
        }
    }

    let columns: [TableColumn]
    let rows: [TableRow]
    let deleteAction: String?
    let caption: String
    let returnTo: String?
    let actions: Actions?

    package init(
        columns: [TableColumn], rows: [TableRow], deleteAction: String?, caption: String, returnTo: String?,
        actions: Actions? = nil
    ) {
        self.actions = actions
        self.columns = columns
        self.rows = rows
        self.deleteAction = deleteAction
        self.caption = caption
        self.returnTo = returnTo
    }

    package func render(into html: inout HTML) {
        guard let action = deleteAction ?? actions?.path else {
            html.literal(#"<div class="list">"#)
            table(hasTicks: false, deletion: nil, into: &html)
            html.literal("</div>")
            return
        }
        html.element("form", .class("list"), .method("get"), .action(action), .flag("data-list")) { html in
            if let returnTo {
                html.render(HiddenFields(fields: [("return", returnTo)]))
            }
            table(
                hasTicks: true, deletion: deleteAction.map { RowDeletion(action: $0, returnTo: returnTo) }, into: &html)
            html.literal(#"<div class="selection" data-selection><span class="selected" role="status" data-selected>"#)
            html.literal("</span>")
            if deleteAction != nil { html.element("button", .class("button danger"), text: localized("Delete…")) }
            if let actions { buttons(actions, into: &html) }
            html.literal("</div>")
        }
    }

    private func buttons(_ actions: Actions, into html: inout HTML) {
        for action in actions.titles {
            html.element(
                "button", .class("button"), .name("do"), .value(action.name), .formAction(actions.path),
                text: action.title)
        }
    }

    private func table(hasTicks: Bool, deletion: RowDeletion?, into html: inout HTML) {
        html.literal(#"<div class="frame"><table class="records"><caption class="spoken">"#)
        html.text(caption)
        html.literal("</caption><thead><tr>")
        if hasTicks {
            html.literal(#"<th class="tick" scope="col" data-select-all><span class="spoken">"#)
            html.text(localized("Select"))
            html.literal(#"</span></th>"#)
        }
        for column in columns { column.render(into: &html) }
        if hasTicks {
            html.literal(#"<th class="act" scope="col"><span class="spoken">"#)
            html.text(localized("Delete"))
            html.literal(#"</span></th>"#)
        }
        html.literal("</tr></thead><tbody>")
        let selection = hasTicks ? RowSelection() : nil
        for row in rows {
            row.render(columns: columns, selection: selection, deletion: deletion, into: &html)
        }
        html.literal("</tbody></table></div>")
    }
}
