package import AviaryDesign
package import AviaryDomain

/// A link that signs in, the one time that it is shown.
package struct AccountLinkView: Component {
    let account: Account
    let link: String
    let isNew: Bool

    /// - Parameters:
    ///   - link: The whole address.
    ///   - isNew: Whether the account was made with it.
    package init(account: Account, link: String, isNew: Bool) {
        self.account = account
        self.link = link
        self.isNew = isNew
    }

    package static var title: String { localized("A link for signing in") }

    package func render(into html: inout HTML) {
        html.render(
            SecretCard(
                title: Self.title,
                text: [
                    localized(
                        "Whoever opens it is signed in as \(account.name), once, and can choose a password. It is good for a day."
                    ),
                    localized("It is shown this once. Hand it over as you would a password."),
                ],
                notices: isNew ? [Notice(.success, localized("The account \(account.name) is made."))] : [],
                secrets: [link],
                doneTitle: localized("Done"), doneHref: AccountPaths.account(account.name)
            ))
    }
}
