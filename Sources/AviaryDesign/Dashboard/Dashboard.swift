import AviaryLocalization

/// The last things that were done, a line each.
package struct RecentActivity: Sendable, Component {
    package struct Line: Sendable {
        let sentence: ActivityEntry.Link
        let person: String
        let time: ActivityEntry.Time

        package init(sentence: ActivityEntry.Link, person: String, time: ActivityEntry.Time) {
            self.sentence = sentence
            self.person = person
            self.time = time
        }
    }

    let lines: [Line]
    let allHref: String

    package init(lines: [Line], allHref: String) {
        self.lines = lines
        self.allHref = allHref
    }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="panel recent"><h2>"#)
        html.text(localized("Recent changes"))
        html.literal(#"</h2>"#)
        if lines.isEmpty { html.element("p", text: localized("Nothing was done yet.")) }
        if !lines.isEmpty {
            html.literal("<ul>")
            for line in lines {
                html.literal("<li>")
                html.render(line.sentence)
                html.literal(#" <span class="detail"><bdi>"#)
                html.text(line.person)
                html.literal("</bdi>, ")
                html.render(line.time)
                html.literal("</span></li>")
            }
            html.literal("</ul>")
            html.element("a", .class("alternative"), .href(allHref), text: localized("Show all activity"))
        }
        html.literal("</section>")
    }
}
