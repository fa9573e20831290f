package import AviaryDesign
import AviaryDomain

/// The view model of the form that changes the user's own password.
package struct PasswordViewModel: Sendable {
    package let owner: AccountOwner
    package private(set) var form = OwnerForm()
    package private(set) var newError: String?
    package private(set) var repeatedError: String?
    private let application: String

    /// Creates the form.
    ///
    /// - Parameter application: The name of the application. It adds little to the strength of a password, because
    ///   an attacker would guess it first.
    package init(owner: AccountOwner, application: String) {
        self.owner = owner
        self.application = application
    }

    /// Sets the password. The account's other sessions end. This one continues under its new identifier.
    package mutating func change(current: String, new: String, repeated: String) async -> AccountOutcome {
        newError = PasswordRules(names: [owner.account.name, application]).problem(with: new)?.text
        repeatedError = newError == nil && new != repeated ? localized("The passwords don’t match.") : nil
        guard newError == nil, repeatedError == nil else { return .refused }
        let owner = owner
        return await form.submit(current, of: owner) {
            try await owner.accounts.setPassword(
                hash: try await owner.passwords.hash(new), of: owner.account.id.uuid, renewing: owner.renewal,
                by: owner.principal.name
            )
        }
    }
}

/// The form for a new password.
package struct PasswordView: Component {
    let model: PasswordViewModel
    let csrf: String

    package init(model: PasswordViewModel, csrf: String) {
        self.model = model
        self.csrf = csrf
    }

    package static func title(of owner: AccountOwner) -> String {
        owner.account.passwordHash == nil ? localized("Choose a password") : localized("Change password")
    }

    package func render(into html: inout HTML) {
        let owner = model.owner
        html.render(
            FormCard(
                title: Self.title(of: owner),
                text: owner.account.passwordHash == nil
                    ? [] : [localized("This signs you out of all other browsers.")],
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
                            name: "repeated", label: localized("Repeat new password"), control: .password(.new),
                            error: model.repeatedError,
                            isRequired: true
                        ),
                    ],
                submitTitle: owner.account.passwordHash == nil
                    ? localized("Save password") : localized("Change password"),
                alternative: (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }
}

extension PasswordRules {
    static var help: String {
        localized("At least \(shortest) characters. A few unrelated words are easy to remember.")
    }
}
