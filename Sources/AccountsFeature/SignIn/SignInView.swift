package import AviaryDesign
import AviaryDomain

/// The form for signing in or for the one-time password.
package struct SignInView: Component {
    let model: SignInViewModel
    let application: String
    let csrf: String

    package init(model: SignInViewModel, application: String, csrf: String) {
        self.model = model
        self.application = application
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(model.ticket == nil ? password : code)
    }

    private var next: [(String, String)] { model.next.map { [("next", $0.text)] } ?? [] }
    private var notices: [Notice] { model.errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    private var password: FormCard {
        FormCard(
            title: localized("Sign in to \(application)"), notices: notices, action: AccountPaths.signIn, csrf: csrf,
            hidden: next,
            fields: [
                Field(
                    name: "username", label: localized("Name"), control: .accountName(value: model.name),
                    isRequired: true),
                Field(name: "password", label: localized("Password"), control: .password(.current), isRequired: true),
            ],
            submitTitle: localized("Sign in")
        )
    }

    private var code: FormCard {
        FormCard(
            title: localized("Two-factor authentication"),
            text: [localized("Enter the code that your authenticator app shows for \(application).")],
            notices: notices, action: AccountPaths.signIn, csrf: csrf,
            hidden: next + [("ticket", model.ticket ?? "")],
            fields: [
                Field(
                    name: "code", label: localized("Code"), control: .oneTimeCode,
                    help: localized("Six digits. Without your phone, enter a recovery code."),
                    isRequired: true
                )
            ],
            submitTitle: localized("Sign in"),
            alternative: (title: localized("Start over"), href: AccountPaths.signIn(returningTo: model.next))
        )
    }
}
