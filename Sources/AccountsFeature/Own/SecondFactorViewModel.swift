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
