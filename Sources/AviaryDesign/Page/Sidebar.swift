import AviaryLocalization

/// The way around on a desktop.
struct Sidebar: Component {
    let application: String
    let items: [NavigationItem]
    let person: Person?
    let csrf: String?

    func render(into html: inout HTML) {
        html.literal(#"<nav class="sidebar" aria-label=""#)
        html.text(localized("Main"))
        html.literal(#""><p class="brand"><span class="mark"></span><bdi>"#)
        html.text(application)
        html.literal("</bdi></p><ul>")
        for item in items {
            html.literal("<li>")
            html.element("a", .href(item.href), item.currency) { html in
                html.literal(#"<span class="name">"#)
                html.text(item.title)
                html.literal("</span>")
                if let count = item.count {
                    html.literal(#"<span class="count" data-count=""#)
                    html.text(count)
                    html.literal(#"">"#)
                    html.grouped(count)
                    html.literal("</span>")
                }
            }
            html.literal("</li>")
        }
        html.literal("</ul>")
        if let person {
            html.literal(#"<div class="person">"#)
            person.link(into: &html)
            person.signOut(csrf: csrf, into: &html)
            html.literal("</div>")
        }
        html.literal("</nav>")
    }
}
