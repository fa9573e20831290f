/// What was done, a day after the other, newest first.
package struct ActivityList: Sendable, Component {
    package struct Day: Sendable {
        let title: String
        let entries: [ActivityEntry]

        package init(title: String, entries: [ActivityEntry]) {
            self.title = title
            self.entries = entries
        }
    }

    let days: [Day]

    package init(days: [Day]) {
        self.days = days
    }

    package func render(into html: inout HTML) {
        html.literal(#"<div class="activity">"#)
        for day in days {
            html.element("section") { html in
                html.element("h2", text: day.title)
                for entry in day.entries { html.render(entry) }
            }
        }
        html.literal("</div>")
    }
}
