import AviaryLocalization

/// The overview, with a card for every kind of record.
package struct Dashboard: Sendable, Component {
    let title: String
    let cards: [DashboardCard]

    package init(title: String = localized("Overview"), cards: [DashboardCard]) {
        self.title = title
        self.cards = cards
    }

    package func render(into html: inout HTML) {
        html.literal(#"<header class="list-header"><h1>"#)
        html.text(title)
        html.literal(#"</h1></header><div class="cards">"#)
        for card in cards { html.render(card) }
        html.literal("</div>")
    }
}

/// A card of the overview for one kind of record.
package struct DashboardCard: Sendable, Component {
    let title: String
    let href: String
    let count: Int?
    let addHref: String?
    let addTitle: String?

    package init(title: String, href: String, count: Int?, addHref: String?, addTitle: String?) {
        self.title = title
        self.href = href
        self.count = count
        self.addHref = addHref
        self.addTitle = addTitle
    }

    package func render(into html: inout HTML) {
        html.literal(#"<article class="card"><h2>"#)
        html.element("a", .href(href), text: title)
        html.literal("</h2>")
        if let count {
            html.literal(#"<p class="count">"#)
            html.grouped(count)
            html.literal("</p>")
        }
        if let addHref, let addTitle {
            html.element("a", .class("add"), .href(addHref)) { html in
                html.render(Icon.plus)
                html.text(addTitle)
            }
        }
        html.literal("</article>")
    }
}

/// The latest changes, one line each.
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
        if lines.isEmpty { html.element("p", text: localized("No activity yet.")) }
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
