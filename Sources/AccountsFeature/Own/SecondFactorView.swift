package import AviaryDesign
package import AviaryDomain

/// One's second factor as it is set up: new recovery codes, or none of it any more.
package struct SecondFactorViewModel: Sendable {
    package let owner: AccountOwner
    package private(set) var form = OwnerForm()
    /// New ones, once they are stored.
    package private(set) var recoveryCodes: [String] = []
    private let oneTimePasswords: any OneTimePasswords

    /// Nil where the account has no second factor.
    package init?(owner: AccountOwner, oneTimePasswords: any OneTimePasswords) {
        guard owner.account.oneTimeSecret != nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
    }

    /// Makes recovery codes in place of those that there are. The account's other sessions end.
    package mutating func renewCodes(current: String) async -> AccountOutcome {
        let (owner, codes) = (owner, oneTimePasswords.makeRecoveryCodes())
        let outcome = await form.submit(current, of: owner) {
            try await owner.accounts.setRecoveryCodes(
                hashes: codes.hashes, of: owner.account.id.uuid, renewing: owner.renewal,
                by: owner.principal.name
            )
        }
        if outcome == .done { recoveryCodes = codes.codes }
        return outcome
    }

    /// Asks for no codes any more. The account's other sessions end.
    package mutating func remove(current: String) async -> AccountOutcome {
        let owner = owner
        return await form.submit(current, of: owner) {
            try await owner.accounts.removeSecondFactor(
                of: owner.account.id.uuid, renewing: owner.renewal, by: owner.principal.name
            )
        }
    }
}

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
