import AviaryLocalization

/// The way around on a phone: up to four places, the others behind More.
struct TabBar: Component {
    private let tabs: ArraySlice<NavigationItem>
    private let others: ArraySlice<NavigationItem>
    private let person: Person?
    private let csrf: String?

    init(items: [NavigationItem], person: Person?, csrf: String?) {
        self.person = person
        self.csrf = csrf
        let visible = items.count > 4 || person != nil ? 3 : 4
        tabs = items.prefix(visible)
        others = items.dropFirst(visible)
    }

    func render(into html: inout HTML) {
        html.literal(#"<nav class="tabs" aria-label=""#)
        html.text(localized("Main"))
        html.literal(#"">"#)
        for item in tabs { tab(item, into: &html) }
        if !others.isEmpty || person != nil { more(into: &html) }
        html.literal("</nav>")
    }

    private func tab(_ item: NavigationItem, into html: inout HTML) {
        html.element("a", .class("tab"), .href(item.href), item.currency) { html in
            symbol(of: item, into: &html)
            html.element("span", .class("name"), text: item.title)
        }
    }

    private func more(into html: inout HTML) {
        let current = others.contains(where: \.isCurrent) || person?.isCurrent == true
        html.literal(#"<details class="more" name="tabs">"#)
        html.element("summary", .class("tab"), Attribute("aria-current", current ? "true" : nil)) { html in
            html.render(Icon.more)
            html.literal(#"<span class="name">"#)
            html.text(localized("More"))
            html.literal(#"</span>"#)
        }
        html.literal("<ul>")
        for item in others {
            html.literal("<li>")
            html.element("a", .href(item.href), item.currency, text: item.title)
            html.literal("</li>")
        }
        if let person {
            html.literal(#"<li class="person">"#)
            person.link(into: &html)
            person.signOut(csrf: csrf, into: &html)
            html.literal("</li>")
        }
        html.literal("</ul></details>")
    }

    /// Kinds of record are told apart by their initials, the overview by its drawing.
    private func symbol(of item: NavigationItem, into html: inout HTML) {
        if item.href == tabs.first?.href {
            html.render(Icon.overview)
        } else {
            // Of two words, since several kinds of record may begin with the same letter.
            let initials = String(item.title.split(separator: " ").prefix(2).compactMap(\.first)).uppercased()
            html.element("span", .class("initial"), Attribute("aria-hidden", "true"), text: initials)
        }
    }
}
