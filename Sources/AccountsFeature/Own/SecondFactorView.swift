package import AviaryDesign
import AviaryDomain

/// The form that asks for the password before something is done to the second factor.
package struct SecondFactorView: Component {
    package enum Purpose: Sendable {
        case renewCodes, remove

        package var title: String {
            switch self {
            case .renewCodes: localized("New recovery codes")
            case .remove: localized("Turn off the second factor")
            }
        }
    }

    let model: SecondFactorViewModel
    let purpose: Purpose
    let csrf: String

    package init(model: SecondFactorViewModel, purpose: Purpose, csrf: String) {
        self.model = model
        self.purpose = purpose
        self.csrf = csrf
    }

    package func render(into html: inout HTML) {
        html.render(
            FormCard(
                title: purpose.title, text: [text], notices: model.form.notices, action: action, csrf: csrf,
                fields: model.form.passwordFields(of: model.owner), submitTitle: submitTitle,
                alternative: (title: localized("Cancel"), href: AccountPaths.own)
            ))
    }

    private var text: String {
        switch purpose {
        case .renewCodes:
            localized(
                "The codes that you have now will not work any more. Other browsers in which you are signed in will have to sign in again."
            )
        case .remove:
            localized(
                "Your password alone will be enough to sign in. Other browsers in which you are signed in will have to sign in again."
            )
        }
    }

    private var action: String {
        switch purpose {
        case .renewCodes: AccountPaths.recoveryCodes
        case .remove: AccountPaths.removeSecondFactor
        }
    }

    private var submitTitle: String {
        switch purpose {
        case .renewCodes: localized("Make new codes")
        case .remove: localized("Turn off")
        }
    }
}
