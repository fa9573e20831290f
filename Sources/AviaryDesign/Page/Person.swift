import AviaryLocalization

/// Who is signed in: the way to their account, and out.
package struct Person: Sendable {
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

    /// Needs a form's token: a page that has none leads to the account only.
    func signOut(csrf: String?, into html: inout HTML) {
        guard let csrf else { return }
        html.render(PostButton(localized("Sign out"), action: signOutAction, csrf: csrf, style: .plain))
    }
}
