package import AviaryDomain

/// Setting up a second factor. Nothing is stored before an app has shown that it has the secret: until then the secret travels
/// in the form, sealed for this account in this session.
package struct SecondFactorSetupViewModel: Sendable {
    package let owner: AccountOwner
    private let secret: OneTimeSecret
    package let link: AuthenticatorLink
    package private(set) var form = OwnerForm()
    package private(set) var codeError: String?
    /// The recovery codes, once it is set up.
    package private(set) var recoveryCodes: [String] = []
    /// Whether a form was sent whose secret is good no more, so that there is another one.
    private let isRenewed: Bool
    private let oneTimePasswords: any OneTimePasswords

    /// For the form: sealed for this account in this session.
    package var sealedSecret: String { secret.sealed }

    /// Nil where the account has a second factor already.
    ///
    /// - Parameter sealed: The form's secret; a new one is made where there is none, or where it was not made for this account in this
    ///   session, or too long ago.
    /// - Throws: What making a secret throws.
    package init?(
        owner: AccountOwner, application: String, sealed: String? = nil, oneTimePasswords: any OneTimePasswords
    ) throws {
        guard owner.account.oneTimeSecret == nil else { return nil }
        self.owner = owner
        self.oneTimePasswords = oneTimePasswords
        let (account, session) = (owner.account.id.uuid, owner.session.id.uuid)
        let sent = sealed.flatMap {
            oneTimePasswords.pendingSecret($0, for: account, in: session, at: owner.now)
        }
        isRenewed = sealed != nil && sent == nil
        secret = try sent ?? oneTimePasswords.makeSecret(for: account, in: session, at: owner.now)
        link = AuthenticatorLink(application: application, account: owner.account.name, secret: secret.base32)
    }

    /// Asks for codes from now on, if this one is right.
    package mutating func confirm(code: String, current: String) async -> AccountOutcome {
        let step = isRenewed ? nil : oneTimePasswords.step(of: code, for: secret, at: owner.now)
        codeError = step == nil ? refusal : nil
        guard let step else { return .refused }
        let (owner, secret, codes) = (owner, secret, oneTimePasswords.makeRecoveryCodes())
        let outcome = await form.submit(current, of: owner) { [oneTimePasswords] in
            let account = owner.account.id.uuid
            try await owner.accounts.setSecondFactor(
                try oneTimePasswords.stored(secret, of: account), step: step, recoveryHashes: codes.hashes, of: account,
                renewing: owner.renewal, by: owner.principal.name
            )
        }
        if outcome == .done { recoveryCodes = codes.codes }
        return outcome
    }

    private var refusal: String {
        isRenewed
            ? localized(
                "This form was open for too long, so there is a new key. Let the app read the new picture, or type the new key into it."
            )
            : localized(
                "This is not the code. Type the one that the app shows at this moment, and look whether your phone's clock is right."
            )
    }
}
