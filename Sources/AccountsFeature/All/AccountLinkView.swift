package import AviaryDesign
package import AviaryDomain

/// A link that sets a password, the one time that it is shown.
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
                        "Its holder chooses the password of \(account.name), once. A second factor is asked for as before. It is good for a day."
                    ),
                    localized("It is shown this once. Hand it over as you would a password."),
                ],
                notices: isNew ? [Notice(.success, localized("The account \(account.name) is made."))] : [],
                secrets: [link],
                doneTitle: localized("Done"), doneHref: AccountPaths.account(account.name)
            ))
    }
}
