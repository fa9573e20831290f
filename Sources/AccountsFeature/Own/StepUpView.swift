package import AviaryDesign
package import AviaryDomain

/// The form that requires the user's password before an action that grants access. It contains the fields of the
/// action's own form.
package struct StepUpView: Component {
    /// The access that the action grants.
    package enum Grant: Sendable {
        /// The download of a backup.
        case backup
        /// A sign-in link for the account with the name.
        case link(account: String)
        /// A change of who can sign in to the application with the name.
        case application(String)

        var text: String {
            switch self {
            case .backup: localized("A backup contains all records. Enter your password to continue.")
            case .link(let account):
                localized("This link gives access to the account “\(account)”. Enter your password to continue.")
            case .application(let name): localized("This gives access to \(name). Enter your password to continue.")
            }
        }
    }

    let grant: Grant
    let action: String
    let csrf: String
    let fields: [FormField]
    let passwordError: String?
    let errorMessage: String?
    let cancelPath: String

    /// Creates the form.
    ///
    /// - Parameters:
    ///   - grant: The access that the action grants.
    ///   - action: The address that the action's form was posted to.
    ///   - fields: The fields of the action's form.
    ///   - proof: The result of verifying the password; nil if none was submitted.
    ///   - cancelPath: The address of the Cancel link.
    package init(
        grant: Grant, action: String, csrf: String, fields: [FormField], proof: AccountOwner.Proof?,
        cancelPath: String
    ) {
        self.grant = grant
        self.action = action
        self.csrf = csrf
        self.fields = fields
        self.cancelPath = cancelPath
        passwordError = proof == .wrong ? localized("Wrong password.") : nil
        errorMessage = if case .wait(let seconds) = proof { TextFormatter.tooManyAttempts(seconds) } else { nil }
    }

    /// The name of the password field.
    package static let field = "current"
    package static var title: String { localized("Confirm your password") }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: Self.title,
                text: [grant.text],
                notices: errorMessage.map { [Notice(.failure, $0)] } ?? [], action: action, csrf: csrf,
                hidden: fields.filter { $0.name != "csrf" && $0.name != Self.field }.map { ($0.name, $0.value) },
                fields: [
                    Field(
                        name: Self.field, label: localized("Password"), control: .password(.current),
                        error: passwordError, isRequired: true
                    )
                ],
                submitTitle: localized("Continue"), alternative: (title: localized("Cancel"), href: cancelPath)
            ))
    }
}
