import AviaryLocalization

/// One thing that a list is narrowed by, and the way to the list without it.
package struct FilterChip: Sendable, Component {
    package let text: String
    let removeHref: String

    package init(text: String, removeHref: String) {
        self.text = text
        self.removeHref = removeHref
    }

    package func render(into html: inout HTML) {
        html.literal("<li>")
        html.element("a", .class("chip"), .href(removeHref)) { html in
            html.literal(#"<span class="spoken">"#)
            html.text(localized("Remove"))
            html.literal(#" </span><bdi>"#)
            html.text(text)
            html.literal("</bdi>")
            html.render(Icon.close)
        }
        html.literal("</li>")
    }
}

/// All that a list is narrowed by, in words.
package struct FilterChips: Sendable, Component {
    let chips: [FilterChip]
    let removeAllHref: String

    package init(_ chips: [FilterChip], removeAllHref: String) {
        self.chips = chips
        self.removeAllHref = removeAllHref
    }

    package func render(into html: inout HTML) {
        guard !chips.isEmpty else { return }
        html.literal(#"<ul class="chips" aria-label=""#)
        html.text(localized("What the list is narrowed by"))
        html.literal(#"">"#)
        for chip in chips { html.render(chip) }
        if chips.count > 1 {
            html.literal("<li>")
            html.element("a", .class("button plain"), .href(removeAllHref), text: localized("Remove all"))
            html.literal("</li>")
        }
        html.literal("</ul>")
    }
}
