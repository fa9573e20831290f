import AviaryLocalization

/// The overview: every kind of record at a glance.
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
