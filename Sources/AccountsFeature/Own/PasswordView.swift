package import AviaryDesign
import AviaryDomain

/// The form for a new password.
package struct PasswordView: Component {
    let model: PasswordViewModel
    let csrf: String

    package init(model: PasswordViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static func title(of owner: AccountOwner) -> String {
        owner.account.passwordHash == nil ? localized("Choose a password") : localized("Change your password")
    }

    package func render(into html: inout HTML) {
        let owner = model.owner
        html.render(
            FormCard(
                title: Self.title(of: owner),
                text: owner.account.passwordHash == nil
                    ? [] : [localized("Other browsers in which you are signed in will have to sign in again.")],
                notices: model.form.notices, action: AccountPaths.password, csrf: csrf,
                fields: [
                    Field(
                        name: "username", label: localized("Name"),
                        control: .accountName(value: owner.account.name, isFixed: true))
                ]
                    + model.form.passwordFields(of: owner) + [
                        Field(
                            name: "new", label: localized("New password"), control: .password(.new),
                            help: model.newError == nil ? PasswordRules.help : nil,
                            error: model.newError,
                            isRequired: true
                        ),
                        Field(
                            name: "repeated", label: localized("New password again"), control: .password(.new),
                            error: model.repeatedError,
                            isRequired: true
                        ),
                    ],
                submitTitle: owner.account.passwordHash == nil
                    ? localized("Save the password") : localized("Change the password"),
                alternative: (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }
}

extension PasswordRules {
    static var help: String {
        localized("At least \(shortest) characters. A few words that do not belong together are easy to remember.")
    }
}
