package import AviaryDesign
import AviaryDomain

/// The form by which a second factor is set up.
package struct SecondFactorSetupView: Component {
    let model: SecondFactorSetupViewModel
    let csrf: String

    package init(model: SecondFactorSetupViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static var title: String { localized("Set up a second factor") }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: Self.title,
                text: requirement + [
                    localized(
                        "An authenticator app on your phone shows a code that changes every 30 seconds. You will be asked for it when you sign in."
                    ),
                    localized("Let the app read the picture, or type the key into it."),
                    localized("Other browsers in which you are signed in will have to sign in again."),
                ],
                notices: model.form.notices, action: AccountPaths.secondFactor, csrf: csrf,
                hidden: [("secret", model.sealedSecret)],
                key: SecretKey(
                    label: localized("Key"), text: model.link.groupedSecret,
                    linkTitle: localized("Open in an app on this device"), link: model.link.text
                ),
                fields: [
                    Field(
                        name: "code", label: localized("Code from the app"), control: .oneTimeCode,
                        help: localized("Six digits."), error: model.codeError,
                        isRequired: true
                    )
                ] + model.form.passwordFields(of: model.owner),
                submitTitle: localized("Turn on"),
                alternative: isRequired ? nil : (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }

    private var isRequired: Bool { model.owner.principal.lacksSecondFactor }

    private var requirement: [String] {
        isRequired ? [localized("Your role requires a second factor. Other pages open when it is set up.")] : []
    }
}
