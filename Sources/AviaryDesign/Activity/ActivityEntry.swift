import AviaryLocalization

/// An entry of the activity list: a change of one or more records by one person.
package struct ActivityEntry: Sendable, Component {
    let person: Link
    let time: Time
    /// The sentence about the change, such as `Changed “Kea”`, with a link to its details.
    let sentence: Link
    let differences: [RecordDifference]
    /// The summary of the changes that the entry omits: `and 9,997 other changes`.
    let rest: Link?
    /// A remark about the entry, such as that it undid an earlier change.
    let remark: Link?
    /// The reason why the entry has fewer buttons than others.
    let note: String?
    /// Indicates whether the change was undone since. The entry then has a mark.
    let isUndone: Bool
    let actions: [PanelAction]

    /// A text with an optional link.
    package struct Link: Sendable {
        let text: String
        let href: String?

        package init(_ text: String, href: String? = nil) {
            self.text = text
            self.href = href
        }
    }

    /// A time as text for people and in machine-readable form.
    package struct Time: Sendable {
        let shown: String
        let machine: String

        package init(shown: String, machine: String) {
            self.shown = shown
            self.machine = machine
        }
    }

    package init(
        person: Link, time: Time, sentence: Link, differences: [RecordDifference], rest: Link? = nil,
        remark: Link? = nil, note: String? = nil, isUndone: Bool = false, actions: [PanelAction] = []
    ) {
        self.isUndone = isUndone
        self.person = person
        self.time = time
        self.sentence = sentence
        self.differences = differences
        self.rest = rest
        self.remark = remark
        self.note = note
        self.actions = actions
    }

    package func render(into html: inout HTML) {
        html.literal(#"<article class="entry"><header><h3>"#)
        html.render(sentence)
        if isUndone {
            html.literal(" ")
            html.element("span", .class("badge"), text: localized("Undone"))
        }
        html.literal("</h3><p>")
        html.render(person)
        html.literal(", ")
        html.render(time)
        if let remark {
            html.literal("</p><p>")
            html.render(remark)
        }
        html.literal("</p></header>")
        for difference in differences { html.render(difference) }
        if let rest {
            html.literal(#"<p class="rest">"#)
            html.render(rest)
            html.literal("</p>")
        }
        if let note { html.element("p", .class("rest"), text: note) }
        if !actions.isEmpty {
            html.literal(#"<div class="actions">"#)
            for action in actions { html.render(action) }
            html.literal("</div>")
        }
        html.literal("</article>")
    }
}

extension ActivityEntry.Link: Component {
    package func render(into html: inout HTML) {
        if let href {
            html.element("a", .href(href)) { $0.element("bdi", text: text) }
        } else {
            html.element("bdi", text: text)
        }
    }
}

extension ActivityEntry.Time: Component {
    package func render(into html: inout HTML) {
        html.element("time", Attribute("datetime", machine), Attribute("title", machine), text: shown)
    }
}

/// The list of changes, grouped by day, newest first.
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
