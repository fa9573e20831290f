package import AviaryDomain

/// Setting up a second factor. Nothing is stored before an app has shown that it has the secret: until then the secret travels
/// in the form, sealed.
package struct SecondFactorSetupViewModel: Sendable {
    package let owner: AccountOwner
    /// For the form.
    package let sealedSecret: String
    package let link: AuthenticatorLink
    package private(set) var form = OwnerForm()
    package private(set) var codeError: String?
    /// The recovery codes, once it is set up.
    package private(set) var recoveryCodes: [String] = []
    private let oneTimePasswords: any OneTimePasswords

    /// Nil where the account has a second factor already.
    ///
    /// - Parameter sealed: The form's secret; a new one is made where there is none, or it cannot be opened any more.
    /// - Throws: What making a secret throws.
    package init?(
        owner: AccountOwner, application: String, sealed: String? = nil, oneTimePasswords: any OneTimePasswords
    ) throws {
        guard owner.account.oneTimeSecret == nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
        let secret: OneTimeSecret
        if let sealed, let base32 = oneTimePasswords.reveal(sealed) {
            secret = OneTimeSecret(sealed: sealed, base32: base32)
        } else {
            secret = try oneTimePasswords.makeSecret()
        }
        sealedSecret = secret.sealed
        link = AuthenticatorLink(application: application, account: owner.account.name, secret: secret.base32)
    }

    /// Asks for codes from now on, if this one is right.
    package mutating func confirm(code: String, current: String) async -> AccountOutcome {
        let step = oneTimePasswords.step(of: code, for: sealedSecret, after: 0, at: owner.now)
        codeError =
            step == nil
            ? localized(
                "This is not the code. Type the one that the app shows at this moment, and look whether your phone's clock is right."
            ) : nil
        guard let step else { return .refused }
        let (owner, sealed, codes) = (owner, sealedSecret, oneTimePasswords.makeRecoveryCodes())
        let outcome = await form.submit(current, of: owner) {
            try await owner.accounts.setSecondFactor(
                sealed, step: step, recoveryHashes: codes.hashes, of: owner.account.id.uuid,
                keeping: owner.session.id.uuid,
                by: owner.principal.name
            )
        }
        if outcome == .done { recoveryCodes = codes.codes }
        return outcome
    }
}
