/// A place in the admin: the sidebar on a desktop, a tab on a phone.
package struct NavigationItem: Sendable {
    let title: String
    let href: String
    let count: Int?
    let isCurrent: Bool

    package init(title: String, href: String, count: Int? = nil, isCurrent: Bool = false) {
        self.title = title
        self.href = href
        self.count = count
        self.isCurrent = isCurrent
    }

    var currency: Attribute { Attribute("aria-current", isCurrent ? "page" : nil) }
}
