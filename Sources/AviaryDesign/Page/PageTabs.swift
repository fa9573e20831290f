import AviaryLocalization

/// A tab bar of related pages.
package struct PageTabs: Sendable, Component {
    package struct Place: Sendable {
        let title: String
        let href: String
        let isCurrent: Bool

        package init(_ title: String, href: String, isCurrent: Bool) {
            self.title = title
            self.href = href
            self.isCurrent = isCurrent
        }
    }

    let label: String
    let places: [Place]

    package init(label: String, places: [Place]) {
        self.label = label
        self.places = places
    }

    package func render(into html: inout HTML) {
        html.element("nav", .class("places"), .label(label)) { html in
            for place in places {
                html.element(
                    "a", .href(place.href), Attribute("aria-current", place.isCurrent ? "page" : nil), text: place.title
                )
            }
        }
    }
}

/// The breadcrumbs of a page.
package struct Breadcrumbs: Sendable, Component {
    package struct Step: Sendable {
        let title: String
        let href: String

        package init(_ title: String, href: String) {
            self.title = title
            self.href = href
        }
    }

    let links: [Step]

    package init(links: [Step]) {
        self.links = links
    }

    package func render(into html: inout HTML) {
        html.literal(#"<nav class="trail" aria-label=""#)
        html.text(localized("Back"))
        html.literal(#""><ol>"#)
        for link in links {
            html.literal("<li>")
            html.element("a", .href(link.href)) { $0.element("bdi", text: link.title) }
            html.literal("</li>")
        }
        html.literal("</ol></nav>")
    }
}
