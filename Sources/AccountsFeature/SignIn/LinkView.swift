package import AviaryDesign
import AviaryDomain

/// What a link that signs in leads to: nothing is done before its button is pressed.
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
        html.render(model.account.map(signIn) ?? firstAdmin)
    }

    private var notices: [Notice] { model.errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    private func signIn(_ account: Account) -> FormCard {
        FormCard(
            title: localized("Sign in to \(application)"),
            text: [localized("This link signs you in as \(account.name), once.")], notices: notices,
            action: AccountPaths.signIn, csrf: csrf, hidden: [("link", token)],
            submitTitle: localized("Sign in as \(account.name)")
        )
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
                ),
                Field(
                    name: "password", label: localized("Password"), control: .password(.new),
                    help: model.passwordError == nil ? PasswordRules.help : nil,
                    error: model.passwordError, isRequired: true
                ),
                Field(name: "repeated", label: localized("Password again"), control: .password(.new), isRequired: true),
            ],
            submitTitle: localized("Make the account")
        )
    }
}
