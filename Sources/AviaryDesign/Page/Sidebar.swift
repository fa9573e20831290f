import AviaryLocalization

/// The navigation on a desktop.
struct Sidebar: Component {
    let application: String
    let items: [NavigationItem]
    let person: AccountMenu?
    let csrf: String?

    func render(into html: inout HTML) {
        html.literal(#"<nav class="sidebar" aria-label=""#)
        html.text(localized("Main"))
        html.literal(#""><p class="brand"><span class="mark"></span><bdi>"#)
        html.text(application)
        html.literal("</bdi></p><ul>")
        NavigationGroup.render(items, into: &html) { item, html in
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

/// The navigation on a phone: up to four tabs, with the other items behind More.
struct TabBar: Component {
    private let tabs: ArraySlice<NavigationItem>
    private let others: ArraySlice<NavigationItem>
    private let person: AccountMenu?
    private let csrf: String?

    init(items: [NavigationItem], person: AccountMenu?, csrf: String?) {
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
        NavigationGroup.render(others, into: &html) { item, html in
            html.element("a", .href(item.href), item.currency, text: item.title)
        }
        if let person {
            html.literal(#"<li class="person">"#)
            person.link(into: &html)
            person.signOut(csrf: csrf, into: &html)
            html.literal("</li>")
        }
        html.literal("</ul></details>")
    }

    /// Writes the symbol of a tab: its icon, that of the overview, or initials for a kind of record.
    private func symbol(of item: NavigationItem, into html: inout HTML) {
        if let icon = item.icon {
            html.render(icon)
        } else if item.href == tabs.first?.href {
            html.render(Icon.overview)
        } else {
            // The initials come from two words, because several kinds of record may begin with the same letter.
            let initials = String(item.title.split(separator: " ").prefix(2).compactMap(\.first)).uppercased()
            html.element("span", .class("initial"), Attribute("aria-hidden", "true"), text: initials)
        }
    }
}

/// An item of the navigation: an entry of the sidebar on a desktop, a tab on a phone.
package struct NavigationItem: Sendable {
    let title: String
    let href: String
    let count: Int?
    let isCurrent: Bool
    let icon: Icon?
    /// The heading over the item and those after it with the same group; nil for none.
    let group: String?

    package init(
        title: String, href: String, count: Int? = nil, isCurrent: Bool = false, icon: Icon? = nil,
        group: String? = nil
    ) {
        self.title = title
        self.href = href
        self.count = count
        self.isCurrent = isCurrent
        self.icon = icon
        self.group = group
    }

    var currency: Attribute { Attribute("aria-current", isCurrent ? "page" : nil) }
}

/// A list of navigation items, in which adjacent items of one group are a list of their own under a heading.
private enum NavigationGroup {
    static func render(
        _ items: some Sequence<NavigationItem>, into html: inout HTML, link: (NavigationItem, inout HTML) -> Void
    ) {
        var open: String?
        for item in items {
            if item.group != open {
                if open != nil { html.literal("</ul></li>") }
                if let group = item.group {
                    html.literal(#"<li class="group"><span class="heading">"#)
                    html.text(group)
                    html.literal("</span><ul>")
                }
                open = item.group
            }
            html.literal("<li>")
            link(item, &html)
            html.literal("</li>")
        }
        if open != nil { html.literal("</ul></li>") }
    }
}

/// The signed-in person, with links to the account and to sign out.
package struct AccountMenu: Sendable {
    let name: String
    let role: String
    let href: String
    let signOutAction: String
    let isCurrent: Bool

    package init(name: String, role: String, href: String, signOutAction: String, isCurrent: Bool = false) {
        self.name = name
        self.role = role
        self.href = href
        self.signOutAction = signOutAction
        self.isCurrent = isCurrent
    }

    var currency: Attribute { Attribute("aria-current", isCurrent ? "page" : nil) }

    func link(into html: inout HTML) {
        html.element("a", .href(href), currency) { html in
            html.literal(#"<span class="spoken">"#)
            html.text(localized("Your account,"))
            html.literal(#" </span><span class="name"><bdi>"#)
            html.text(name)
            html.literal(#"</bdi></span><span class="role">"#)
            html.text(role)
            html.literal("</span>")
        }
    }

    /// Writes the button to sign out. The button needs a form token, so a page without one omits the button.
    func signOut(csrf: String?, into html: inout HTML) {
        guard let csrf else { return }
        html.render(PostButton(localized("Sign out"), action: signOutAction, csrf: csrf, style: .plain))
    }
}
