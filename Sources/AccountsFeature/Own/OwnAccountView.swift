package import AviaryDesign
package import AviaryDomain

/// The page of the user's own account.
package struct OwnAccountView: Component {
    let model: OwnAccountViewModel
    let csrf: String
    let news: OwnAccountNotice?
    let languages: LanguageForm?
    let next: LocalPath?

    /// Creates the page.
    ///
    /// - Parameter next: The page that the user requested before signing in, if the user should check the account
    ///   first; nil otherwise.
    package init(
        model: OwnAccountViewModel, csrf: String, news: OwnAccountNotice? = nil, languages: LanguageForm? = nil,
        next: LocalPath? = nil
    ) {
        self.model = model
        self.csrf = csrf
        self.news = news
        self.languages = languages
        self.next = next
    }

    package static var title: String { localized("Your account") }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: Self.title, count: nil, addTitle: "", addHref: nil))
        html.literal(#"<div class="panels">"#)
        if let news { html.render(Notice(.success, news.text)) }
        if let next, !model.acts.isEmpty {
            html.render(
                Notice(
                    .warning,
                    localized(
                        "Someone else changed how your account signs in (see below). If you didn’t ask for this, change your password and tell someone who manages accounts."
                    ),
                    actions: [
                        .link(title: localized("Change password"), href: AccountPaths.password),
                        .link(title: localized("Continue"), href: next.text),
                    ]
                ))
        }
        if !hasPassword {
            html.render(
                Notice(
                    .warning,
                    localized("You have no password yet. Choose one before you sign out, or you can’t sign in again."),
                    actions: [.link(title: localized("Choose a password"), href: AccountPaths.password)]
                ))
        }
        html.render(signingIn)
        html.render(secondFactor)
        if !model.acts.isEmpty { acts.render(into: &html, content: actList) }
        if let languages { Panel(title: localized("Language")).render(into: &html) { $0.render(languages) } }
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
            title: localized("Sign-in"),
            facts: [
                Fact(localized("Name"), account.name), Fact(localized("Role"), account.role.roleTitle),
                Fact(localized("Password"), hasPassword ? localized("Set") : localized("Not set")),
            ],
            actions: [
                .link(
                    title: hasPassword ? localized("Change password") : localized("Choose a password"),
                    href: AccountPaths.password)
            ]
        )
    }

    private var secondFactor: Panel {
        guard account.oneTimeSecret != nil else {
            return Panel(
                title: localized("Two-factor authentication"),
                text: [
                    localized(
                        "Off. With two-factor authentication, signing in also requires a code from your phone."
                    )
                ],
                actions: [.link(title: localized("Set up"), href: AccountPaths.secondFactor)]
            )
        }
        let left = account.recoveryCodes.count
        return Panel(
            title: localized("Two-factor authentication"),
            text: [
                localized("On. Signing in requires a code from your authenticator app."),
                left == 0
                    ? localized("No recovery codes left. Without your phone you can’t sign in. Create new codes.")
                    : localized(left, one: "1 recovery code left.", other: "\(left) recovery codes left."),
            ],
            actions: [
                .link(title: localized("Create new recovery codes"), href: AccountPaths.recoveryCodes),
                .link(title: localized("Turn off"), href: AccountPaths.removeSecondFactor),
            ]
        )
    }

    private var acts: Panel {
        Panel(
            title: localized("Changes to your account by others"),
            text: [localized("Links, passwords and two-factor authentication in the last 90 days.")])
    }

    private func actList(_ html: inout HTML) {
        html.literal(#"<ul class="sessions">"#)
        for act in model.acts {
            html.literal("<li><div>")
            html.element("p", .class("name"), Attribute("dir", "auto"), text: act.text)
            html.element(
                "p", .class("detail"), Attribute("dir", "auto"),
                text: DateTextFormatter.age(of: act.time, at: model.owner.now))
            html.literal("</div></li>")
        }
        html.literal("</ul>")
    }

    private var sessions: Panel {
        let others = model.sessions.filter { !$0.isCurrent }
        return Panel(
            title: localized("Active sessions"),
            text: model.hiddenSessions == 0
                ? [] : [localized("\(model.hiddenSessions) more, last seen longer ago.")],
            actions: others.isEmpty
                ? []
                : [
                    .post(
                        PostButton(
                            localized("Sign out all other browsers"), action: AccountPaths.endSession, csrf: csrf,
                            hidden: [("session", "others")]
                        ))
                ]
        )
    }

    private func row(_ session: OwnAccountViewModel.SessionRow, into html: inout HTML) {
        html.literal("<li><div>")
        html.element("p", .class("name")) { html in
            html.element("bdi", text: session.browser)
            if session.isCurrent {
                html.literal(" ")
                html.element("span", .class("badge"), text: localized("This browser"))
            }
        }
        let seen =
            session.isCurrent
            ? localized("From \(session.address), signed in \(session.began)")
            : localized("From \(session.address), signed in \(session.began), last seen \(session.lastSeen)")
        html.element("p", .class("detail"), Attribute("dir", "auto"), text: seen)
        html.literal("</div>")
        if !session.isCurrent {
            html.render(
                PostButton(
                    localized("Sign out"), about: "\(session.browser), \(session.address)",
                    action: AccountPaths.endSession, csrf: csrf,
                    hidden: [("session", session.id.canonicalText)]
                ))
        }
        html.literal("</li>")
    }
}
