package import AviaryDesign
package import AviaryDomain

/// The view model of an existing second factor. It renews the recovery codes or removes the second factor.
package struct SecondFactorViewModel: Sendable {
    package let owner: AccountOwner
    package private(set) var form = OwnerForm()
    /// The new recovery codes, once they are stored.
    package private(set) var recoveryCodes: [String] = []
    private let oneTimePasswords: any OneTimePasswords

    /// Creates the view model. Returns nil if the account has no second factor.
    package init?(owner: AccountOwner, oneTimePasswords: any OneTimePasswords) {
        guard owner.account.oneTimeSecret != nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
    }

    /// Replaces the recovery codes. The account's other sessions end.
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

    /// Removes the second factor. The account's other sessions end.
    package mutating func remove(current: String) async -> AccountOutcome {
        let owner = owner
        return await form.submit(current, of: owner) {
            try await owner.accounts.removeSecondFactor(
                of: owner.account.id.uuid, renewing: owner.renewal, by: owner.principal.name
            )
        }
    }
}

/// The form that requires the password before a change to the second factor.
package struct SecondFactorView: Component {
    package enum Purpose: Sendable {
        case renewCodes, remove

        package var title: String {
            switch self {
            case .renewCodes: localized("Create new recovery codes")
            case .remove: localized("Turn off two-factor authentication")
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
                "Your current codes will stop working. This signs you out of all other browsers."
            )
        case .remove:
            localized(
                "Your password alone will be enough to sign in. This signs you out of all other browsers."
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
        case .renewCodes: localized("Create new codes")
        case .remove: localized("Turn off")
        }
    }
}
