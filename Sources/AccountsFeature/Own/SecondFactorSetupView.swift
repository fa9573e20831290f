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

    package static let title = "Set up a second factor"

    package func render(into html: inout HTML) {
        html.render(FormCard(
            title: Self.title,
            text: [
                "An authenticator app on your phone shows a code that changes every 30 seconds. You will be asked for it when you sign in.",
                "Let the app read the picture, or type the key into it.",
            ],
            notices: model.form.notices, action: AccountPaths.secondFactor, csrf: csrf, hidden: [("secret", model.sealedSecret)],
            key: SecretKey(
                label: "Key", text: model.link.groupedSecret, linkTitle: "Open in an app on this device", link: model.link.text
            ),
            fields: [
                Field(
                    name: "code", label: "Code from the app", control: .oneTimeCode, help: "Six digits.", error: model.codeError,
                    isRequired: true
                )
            ] + model.form.passwordFields(of: model.owner),
            submitTitle: "Turn on", alternative: (title: "Cancel", href: AccountPaths.own)
        ))
    }
}
