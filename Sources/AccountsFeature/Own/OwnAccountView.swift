package import AviaryDesign
import AviaryDomain

/// One's own account as a page.
package struct OwnAccountView: Component {
    let model: OwnAccountViewModel
    let csrf: String
    let news: OwnAccountNews?

    package init(model: OwnAccountViewModel, csrf: String, news: OwnAccountNews? = nil) {
        self.model = model
        self.csrf = csrf
        self.news = news
    }

    package static let title = "Your account"

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: nil, addTitle: "", addHref: nil))
        html.literal(#"<div class="panels">"#)
        if let news { html.render(Notice(.success, news.text)) }
        if !hasPassword {
            html.render(Notice(
                .warning, "You have no password yet: once you are signed out you cannot sign in again.",
                actions: [.link(title: "Choose a password", href: AccountPaths.password)]
            ))
        }
        html.render(signingIn)
        html.render(secondFactor)
        sessions.render(into: &html) { html in
            html.literal(#"<ul class="sessions">"#)
            for session in model.sessions { row(session, into: &html) }
            html.literal("</ul>")
        }
        html.literal("</div>")
    }

    private var account: Account { model.owner.account }
    private var hasPassword: Bool { account.passwordHash != nil }

    private var signingIn: Panel {
        Panel(
            title: "Signing in",
            facts: [
                Fact("Name", account.name), Fact("Role", account.role), Fact("Password", hasPassword ? "Set" : "None yet"),
            ],
            actions: [.link(title: hasPassword ? "Change password" : "Choose a password", href: AccountPaths.password)]
        )
    }

    private var secondFactor: Panel {
        guard account.oneTimeSecret != nil else {
            return Panel(
                title: "Second factor",
                text: ["Off. With it, whoever learns your password still cannot sign in: a code from your phone is needed, too."],
                actions: [.link(title: "Set up", href: AccountPaths.secondFactor)]
            )
        }
        let left = account.recoveryCodes.count
        return Panel(
            title: "Second factor",
            text: [
                "On. Signing in needs a code from your authenticator app.",
                left == 0 ? "No recovery codes are left: without your phone you cannot sign in. Make new ones."
                    : "\(left) recovery \(left == 1 ? "code is" : "codes are") left.",
            ],
            actions: [
                .link(title: "New recovery codes", href: AccountPaths.recoveryCodes),
                .link(title: "Turn off", href: AccountPaths.removeSecondFactor),
            ]
        )
    }

    private var sessions: Panel {
        let others = model.sessions.filter { !$0.isCurrent }
        return Panel(
            title: "Where you are signed in",
            text: model.hiddenSessions == 0 ? [] : ["There are \(Words.grouped(model.hiddenSessions)) more, which were seen longer ago."],
            actions: others.isEmpty ? [] : [
                .post(PostButton(
                    "Sign out all others", action: AccountPaths.endSession, csrf: csrf, hidden: [("session", "others")]
                ))
            ]
        )
    }

    private func row(_ session: OwnAccountViewModel.SessionRow, into html: inout HTML) {
        html.literal("<li><div>")
        html.element("p", .class("name")) { html in
            html.element("bdi", text: session.browser)
            if session.isCurrent { html.literal(#" <span class="badge">This browser</span>"#) }
        }
        let seen = session.isCurrent ? "" : ", last seen \(session.lastSeen)"
        html.element("p", .class("detail"), Attribute("dir", "auto"), text: "From \(session.address), signed in \(session.began)\(seen)")
        html.literal("</div>")
        if !session.isCurrent {
            html.render(PostButton(
                "Sign out", about: "\(session.browser), \(session.address)", action: AccountPaths.endSession, csrf: csrf,
                hidden: [("session", session.id.canonicalText)]
            ))
        }
        html.literal("</li>")
    }
}
