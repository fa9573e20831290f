package import AviaryDesign
package import AviaryDomain

/// The page of one account.
package struct AccountView: Component {
    let model: AccountViewModel
    let csrf: String
    let news: AccountAction?

    package init(model: AccountViewModel, csrf: String, news: AccountAction? = nil) {
        self.model = model
        self.csrf = csrf
        self.news = news
    }

    package func render(into html: inout HTML) {
        html.render(ListHeader(title: account.name, count: nil, addTitle: "", addHref: nil))
        html.literal(#"<div class="panels">"#)
        if let message = model.errorMessage {
            html.render(Notice(.failure, message))
        } else if let news = news?.news {
            html.render(Notice(.success, news))
        }
        html.render(overview)
        if model.isOwn {
            html.render(
                Panel(
                    title: localized("Your account"), text: [AccountViewModel.ownAccount],
                    actions: [.link(title: localized("Password and 2FA"), href: AccountPaths.own)]
                ))
        }
        if may(.role) { role(into: &html) }
        if may(.link) { html.render(link) }
        if !access.isEmpty { html.render(Panel(title: localized("Access"), actions: access)) }
        html.literal("</div>")
        html.element("a", .class("alternative"), .href(AccountPaths.all), text: localized("Show all accounts"))
    }

    private var account: Account { model.account }

    private func may(_ action: AccountAction) -> Bool { model.actions.contains(action) }

    private var overview: Panel {
        var facts = [
            Fact(
                localized("Status"),
                account.isDisabled ? localized("Disabled (can’t sign in)") : localized("Active")),
            Fact(localized("Role"), account.role.roleTitle),
            Fact(localized("Sign-in method"), account.signInWords),
            Fact(localized("Created"), DateTextFormatter.age(of: account.createdAt, at: model.now)),
        ]
        if !account.isDisabled {
            facts.append(
                Fact(
                    localized("Signed in"),
                    model.openSessions == 0
                        ? localized("Nowhere")
                        : localized(model.openSessions, one: "In 1 browser", other: "In \(model.openSessions) browsers")
                ))
        }
        if let seen = model.lastSeen {
            facts.append(Fact(localized("Last seen"), DateTextFormatter.age(of: seen, at: model.now)))
        }
        return Panel(title: localized("Overview"), facts: facts)
    }

    private func role(into html: inout HTML) {
        Panel(title: localized("Role")).render(into: &html) { html in
            html.render(
                FieldForm(
                    action: AccountPaths.account(account.name), csrf: csrf,
                    hidden: [("action", AccountAction.role.rawValue)],
                    field: Field(
                        name: "role", label: localized("New role"),
                        control: .select(options: options, selected: account.role, prompt: nil),
                        help: localized(
                            "Viewers see records, editors also change them, admins also manage accounts. A new role signs the account out."
                        )
                    ),
                    submitTitle: localized("Change role")
                ))
        }
    }

    /// The roles to choose from. A role that the application no longer defines is included if the account still has
    /// it.
    private var options: [Option] {
        let options = Option.roles(model.roles)
        return options.contains { $0.value == account.role }
            ? options : [Option(value: account.role, label: account.role.roleTitle)] + options
    }

    private var link: Panel {
        Panel(
            title: localized("Sign-in link"),
            text: [
                localized(
                    "For people without a password. The link sets a password once, within one day, and keeps two-factor authentication. The account’s owner is notified. Treat the link like a password."
                )
            ],
            actions: [.post(button(localized("Create link"), .link))]
        )
    }

    private var access: [PanelAction] {
        var actions: [PanelAction] = []
        if may(.enable) { actions.append(.post(button(localized("Enable"), .enable, style: .primary))) }
        if may(.signOut) {
            actions.append(
                .question(
                    title: localized("Sign out everywhere…"),
                    text: localized("\(account.name) has to sign in again in every browser."),
                    button(localized("Sign out everywhere"), .signOut, style: .danger)
                ))
        }
        if may(.resetSecondFactor) {
            actions.append(
                .question(
                    title: localized("Remove two-factor authentication…"),
                    text: localized(
                        "For people who lost their phone and recovery codes. The password alone is then enough, and every browser has to sign in again."
                    ),
                    button(localized("Remove two-factor authentication"), .resetSecondFactor, style: .danger)
                ))
        }
        if may(.disable) {
            actions.append(
                .question(
                    title: localized("Disable…"),
                    text: localized(
                        "Signs \(account.name) out everywhere and blocks signing in until the account is enabled again. Nothing is deleted."
                    ),
                    button(localized("Disable"), .disable, style: .danger)
                ))
        }
        return actions
    }

    private func button(_ title: String, _ action: AccountAction, style: PostButton.Style = .normal) -> PostButton {
        PostButton(
            title, action: AccountPaths.account(account.name), csrf: csrf, hidden: [("action", action.rawValue)],
            style: style
        )
    }
}

/// The page that shows a sign-in link, once.
package struct AccountLinkView: Component {
    let account: Account
    let link: String
    let isNew: Bool

    /// Creates the page.
    ///
    /// - Parameters:
    ///   - link: The complete address.
    ///   - isNew: Indicates whether the account was created together with the link.
    package init(account: Account, link: String, isNew: Bool) {
        self.account = account
        self.link = link
        self.isNew = isNew
    }

    package static var title: String { localized("Sign-in link") }

    package func render(into html: inout HTML) {
        html.render(
            SecretCard(
                title: Self.title,
                text: [
                    localized(
                        "The link works once, for one day, to set a password. Two-factor authentication stays on."
                    ),
                    localized("Shown only once. Treat it like a password."),
                ],
                notices: isNew ? [Notice(.success, localized("Added account \(account.name)"))] : [],
                secrets: [link],
                doneTitle: localized("Done"), doneHref: AccountPaths.account(account.name)
            ))
    }
}
