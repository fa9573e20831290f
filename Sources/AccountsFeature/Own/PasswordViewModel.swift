import AviaryDomain

/// A new password of one's own.
package struct PasswordViewModel: Sendable {
    package let owner: AccountOwner
    package private(set) var form = OwnerForm()
    package private(set) var newError: String?
    package private(set) var repeatedError: String?
    private let application: String

    /// - Parameter application: Its name: others would try it first.
    package init(owner: AccountOwner, application: String) {
        self.owner = owner
        self.application = application
    }

    /// Sets the password. The account's other sessions end; this one goes on under its new id.
    package mutating func change(current: String, new: String, repeated: String) async -> AccountOutcome {
        newError = PasswordRules(names: [owner.account.name, application]).problem(with: new)?.text
        repeatedError = newError == nil && new != repeated ? localized("The two passwords are not the same.") : nil
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
