import AviaryLocalization

/// A table of events in chronological order, with their origins.
package struct EventTable: Sendable, Component {
    package struct Row: Sendable {
        let time: ActivityEntry.Time
        let what: String
        let isAlarming: Bool
        let person: String?
        let address: String?
        let subject: String?

        package init(
            time: ActivityEntry.Time, what: String, isAlarming: Bool, person: String?, address: String?,
            subject: String?
        ) {
            self.time = time
            self.what = what
            self.isAlarming = isAlarming
            self.person = person
            self.address = address
            self.subject = subject
        }
    }

    let rows: [Row]

    package init(rows: [Row]) {
        self.rows = rows
    }

    package func render(into html: inout HTML) {
        html.literal(#"<div class="frame events" tabindex="0" role="region" aria-label=""#)
        html.text(localized("Events"))
        html.literal(#""><table class="records">"#)
        html.literal(#"<caption class="spoken">"#)
        html.text(localized("Events, newest first"))
        html.literal(#"</caption><thead><tr><th scope="col">"#)
        html.text(localized("Type"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("Person"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("Time"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("From"))
        html.literal(#"</th><th scope="col">"#)
        html.text(localized("Details"))
        html.literal(#"</th>"#)
        html.literal("</tr></thead><tbody>")
        for row in rows { render(row, into: &html) }
        html.literal("</tbody></table></div>")
    }

    private func render(_ row: Row, into html: inout HTML) {
        html.literal(#"<tr><th scope="row">"#)
        html.element("span", .class("choice \(row.isAlarming ? "alarming" : "hue-7")"), text: row.what)
        html.literal("</th>")
        cell(row.person, into: &html)
        html.element("td") { $0.render(row.time) }
        cell(row.address, into: &html)
        cell(row.subject, into: &html)
        html.literal("</tr>")
    }

    private func cell(_ text: String?, into html: inout HTML) {
        if let text {
            html.element("td") { $0.element("bdi", text: text) }
        } else {
            html.literal(#"<td class="none"></td>"#)
        }
    }
}
