package import AviaryDesign
import AviaryLocalization

/// A page that says what stands against taking something back.
package struct UndoRefusalView: Component {
    let obstacles: [UndoObstacleText]
    let backHref: String

    package init(obstacles: [UndoObstacleText], backHref: String) {
        self.obstacles = obstacles
        self.backHref = backHref
    }

    package static var title: String { localized("This cannot be taken back") }

    package func render(into html: inout HTML) {
        html.literal(#"<section class="trouble"><h1>"#)
        html.text(Self.title)
        html.literal("</h1>")
        html.element(
            "p",
            text: localized(
                "Nothing was changed: newer work is never overwritten. It is taken back as a whole or not at all."))
        html.literal(#"<ul class="obstacles">"#)
        for obstacle in obstacles {
            html.element("li", Attribute("dir", "auto")) { html in
                if let href = obstacle.href {
                    html.element("a", .href(href), text: obstacle.sentence)
                } else {
                    html.text(obstacle.sentence)
                }
            }
        }
        html.literal("</ul>")
        html.element("a", .class("button primary"), .href(backHref), text: localized("Go back"))
        html.literal("</section>")
    }
}
