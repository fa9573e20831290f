package import AviaryDesign
import AviaryDomain

/// The form that a link leads to: nothing is done before it is sent.
package struct LinkView: Component {
    let model: LinkViewModel
    let application: String
    let token: String
    let csrf: String

    package init(model: LinkViewModel, application: String, token: String, csrf: String) {
        self.model = model
        self.application = application
        self.token = token
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(model.account.map(password) ?? firstAdmin)
    }

    private var notices: [Notice] { model.errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    private func password(_ account: Account) -> FormCard {
        FormCard(
            title: localized("Choose a password"),
            text: [localized("With this link you choose the password of \(account.name), once.")]
                + (account.oneTimeSecret == nil
                    ? [] : [localized("Then you are asked for a code of the second factor, as at every sign-in.")]),
            notices: notices, action: AccountPaths.signIn, csrf: csrf, hidden: [("link", token)],
            fields: [
                Field(
                    name: "username", label: localized("Name"),
                    control: .accountName(value: account.name, isFixed: true))
            ] + passwordFields,
            submitTitle: localized("Save the password")
        )
    }

    private var passwordFields: [Field] {
        [
            Field(
                name: "password", label: localized("Password"), control: .password(.new),
                help: model.passwordError == nil ? PasswordRules.help : nil,
                error: model.passwordError, isRequired: true
            ),
            Field(name: "repeated", label: localized("Password again"), control: .password(.new), isRequired: true),
        ]
    }

    private var firstAdmin: FormCard {
        FormCard(
            title: localized("Welcome to \(application)"),
            text: [
                localized(
                    "Nobody can sign in yet. Make the first account: it may do everything, also make accounts for others."
                )
            ],
            notices: notices, action: AccountPaths.signIn, csrf: csrf, hidden: [("link", token)],
            fields: [
                Field(
                    name: "username", label: localized("Name"), control: .accountName(value: model.name),
                    help: model.nameError == nil ? AccountName.rule + "." : nil,
                    error: model.nameError, isRequired: true
                )
            ] + passwordFields,
            submitTitle: localized("Make the account")
        )
    }
}
