import AviaryLocalization

/// The table of records.
///
/// The table is in a form, so that actions on ticked rows work without scripts. Without permission for any action
/// it is a plain table.
package struct RecordTable: Sendable, Component {
    /// The actions on ticked rows other than Delete, and the path that the form submits them to.
    package struct Actions: Sendable {
        let path: String
        /// The titles by the names in the address.
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
    /// Indicates whether the titles are long, such as the names of files, and get a line of their own on a phone.
    package var hasLongTitles = false

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
        html.literal(#"<div class="frame"><table class="records"#)
        if hasLongTitles { html.literal(" long-titles") }
        html.literal(#""><caption class="spoken">"#)
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

/// The first cell of every row that can be ticked. Text that all rows share is prepared once.
struct RowSelection {
    private let label = TitlePhrase { localized("Select \($0)") }

    func render(id: String, title: String, into html: inout HTML) {
        html.literal(#"<td class="tick"><label><input type="checkbox" name="id" value=""#)
        html.text(id)
        html.literal(#"" aria-label=""#)
        label.render(title, into: &html)
        html.literal(#""></label></td>"#)
    }
}

/// A phrase with a placeholder for a row's title, looked up once for all rows.
struct TitlePhrase {
    private let before: [UInt8]
    private let after: [UInt8]

    /// Creates a phrase.
    ///
    /// - Parameter phrase: A closure that inserts a title into the phrase.
    init(_ phrase: (String) -> String) {
        // No phrase contains NUL, so it marks the position of the title.
        let parts = phrase("\u{0}").split(separator: "\u{0}", maxSplits: 1, omittingEmptySubsequences: false)
        before = Self.escaped(parts.first)
        after = Self.escaped(parts.dropFirst().first)
    }

    func render(_ title: String, into html: inout HTML) {
        before.withUnsafeBufferPointer { html.append($0) }
        html.text(title)
        after.withUnsafeBufferPointer { html.append($0) }
    }

    private static func escaped(_ text: Substring?) -> [UInt8] {
        var html = HTML(capacity: 64)
        html.text(String(text ?? ""))
        return html.bytes
    }
}

/// The last cell of every row, with the link to delete the record. Text that all rows share is prepared once.
struct RowDeletion {
    private let start: [UInt8]
    private let end: [UInt8]
    private let label = TitlePhrase { localized("Delete \($0)") }
    private let title = localized("Delete")

    init(action: String, returnTo: String?) {
        var html = HTML(capacity: 256)
        html.literal(#"<td class="act"><a class="delete" data-delete href=""#)
        html.link(action)
        html.literal("?id=")
        start = html.bytes

        html = HTML(capacity: 256)
        if let returnTo {
            html.literal("&amp;return=")
            html.query(returnTo)
        }
        html.literal(#"" aria-label=""#)
        end = html.bytes
    }

    func render(id: String, title: String, into html: inout HTML) {
        start.withUnsafeBufferPointer { html.append($0) }
        html.query(id)
        end.withUnsafeBufferPointer { html.append($0) }
        label.render(title, into: &html)
        html.literal(#"">"#)
        html.text(self.title)
        html.literal(#"</a></td>"#)
    }
}

/// A table of read-only texts.
package struct PlainTable: Sendable, Component {
    let caption: String
    let columns: [String]
    let rows: [[String]]

    package init(caption: String, columns: [String], rows: [[String]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    package func render(into html: inout HTML) {
        html.element("div", .class("frame"), Attribute("tabindex", "0"), .role("region"), .label(caption)) { html in
            html.element("table", .class("plain")) { html in
                html.element("caption", .class("spoken"), text: caption)
                html.element("thead") { html in
                    html.element("tr") { html in
                        for column in columns {
                            html.element("th", Attribute("scope", "col"), Attribute("dir", "auto"), text: column)
                        }
                    }
                }
                html.element("tbody") { html in
                    for row in rows {
                        html.element("tr") { html in
                            for cell in row { html.element("td", Attribute("dir", "auto"), text: cell) }
                        }
                    }
                }
            }
        }
    }
}
