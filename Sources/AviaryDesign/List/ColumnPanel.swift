import AviaryLocalization

/// A form that chooses the columns of a list in this browser.
package struct ColumnPanel: Sendable, Component {
    package struct Column: Sendable {
        let name: String
        let title: String
        let isShown: Bool

        package init(name: String, title: String, isShown: Bool) {
            self.name = name
            self.title = title
            self.isShown = isShown
        }
    }

    /// The columns. The first one links to the record and is always visible.
    let columns: [Column]
    let action: String
    let csrf: String
    let hidden: [(String, String)]
    let closeHref: String

    package init(columns: [Column], action: String, csrf: String, hidden: [(String, String)], closeHref: String) {
        self.columns = columns
        self.action = action
        self.csrf = csrf
        self.hidden = hidden
        self.closeHref = closeHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="filters" aria-labelledby="columns-title"><h2 id="columns-title">"#)
        html.text(localized("Columns"))
        html.literal(#"</h2>"#)
        html.element("form", .method("post"), .action(action)) { html in
            html.render(HiddenFields(csrf: csrf, fields: hidden))
            html.literal(#"<fieldset class="filter"><legend>"#)
            html.text(localized("Columns shown in this browser"))
            html.literal(#"</legend><div class="boxes">"#)
            for (index, column) in columns.enumerated() {
                html.literal("<label>")
                html.void(
                    "input", .type("checkbox"), .name("column"), .value(column.name),
                    .flag("checked", column.isShown || index == 0),
                    .flag("disabled", index == 0)
                )
                html.literal("<bdi>")
                html.text(column.title)
                html.literal("</bdi></label>")
            }
            html.literal(#"</div></fieldset><div class="actions"><button class="button primary">"#)
            html.text(localized("Apply"))
            html.literal(#"</button>"#)
            html.literal(#"<button class="button" name="all" value="1">"#)
            html.text(localized("Show all"))
            html.literal(#"</button>"#)
            html.element("a", .class("button plain"), .href(closeHref), text: localized("Close"))
            html.literal("</div>")
        }
        html.literal("</section>")
    }
}
