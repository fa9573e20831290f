import AviaryDesign
package import AviaryDomain
package import Foundation

/// The messages of a form that requires the current password.
package struct OwnerForm: Sendable {
    package private(set) var passwordError: String?
    package private(set) var errorMessage: String?

    var notices: [Notice] { errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    /// Runs the work after verifying the owner's password.
    mutating func submit(
        _ password: String, of owner: AccountOwner, _ work: () async throws -> Void
    ) async -> AccountOutcome {
        (passwordError, errorMessage) = (nil, nil)
        do {
            switch try await owner.proof(password) {
            case .given:
                try await work()
                return .done
            case .wrong:
                passwordError = localized("Wrong password.")
                return .refused
            case .wait(let seconds):
                errorMessage = TextFormatter.tooManyAttempts(seconds)
                return .wait(seconds: seconds)
            }
        } catch {
            let (outcome, message) = AccountOutcome.explaining(error)
            errorMessage = message
            return outcome
        }
    }

    /// Returns the field for the current password, if it is required.
    func passwordFields(of owner: AccountOwner) -> [Field] {
        guard owner.isPasswordAsked else { return [] }
        return [
            Field(
                name: "current", label: localized("Current password"), control: .password(.current),
                error: passwordError, isRequired: true
            )
        ]
    }
}

extension AccountOutcome {
    /// Returns the outcome and the message for an error of a submitted form.
    static func explaining(_ error: any Error) -> (AccountOutcome, String) {
        switch error {
        case AccountError.signedOut: (.signedOut, AccountError.signedOut.description)
        case let error as AccountError: (.conflict, error.description)
        case PasswordHashingError.busy(let seconds):
            (.wait(seconds: seconds), PasswordHashingError.busy(retryAfter: seconds).message)
        case let error as PasswordHashingError: (.unavailable, error.message)
        case let error as StoreError where error.code == .unanswered:
            (
                .unavailable,
                localized(
                    "Couldn’t confirm the change. Reload the page to check.")
            )
        default:
            (
                .unavailable,
                localized("Nothing was changed: the server can’t save changes right now. Try again in a moment.")
            )
        }
    }
}

/// The owner of an account, acting in one of its sessions.
package struct AccountOwner: Sendable {
    package let account: Account
    package let session: AccountSession
    package let principal: Principal
    /// The acting session, and the identifier under which it continues after a change of the sign-in method.
    package let renewal: SessionRenewal
    /// Indicates whether the form requires the password.
    ///
    /// It is required before any change to the sign-in method, so that an unattended browser is not enough. It is
    /// not required if the account has no password yet.
    package let isPasswordAsked: Bool

    let accounts: AccountRepository
    let passwords: any PasswordHashing
    let now: Date
    private let attemptID: @Sendable (String) -> UUID

    /// Reads the owner of the session.
    ///
    /// - Parameters:
    ///   - id: The identifier of the acting session.
    ///   - successor: The identifier of the session that replaces it after a change of the sign-in method.
    ///   - attemptID: A closure that maps the name of an attempt counter to the identifier under which it is
    ///     stored.
    /// - Throws: ``AccountError/signedOut`` if the session has ended or belongs to another account; `ReadError`.
    package init(
        principal: Principal, session id: UUID, successor: UUID, accounts: AccountRepository,
        passwords: any PasswordHashing,
        attemptID: @escaping @Sendable (String) -> UUID, at now: Date
    ) async throws {
        guard let (session, account) = try await accounts.session(id), account.id.uuid == principal.account else {
            throw AccountError.signedOut
        }
        self.account = account
        self.session = session
        self.principal = principal
        renewal = SessionRenewal(from: id, to: successor)
        self.accounts = accounts
        self.passwords = passwords
        self.attemptID = attemptID
        self.now = now
        isPasswordAsked = account.passwordHash != nil
    }

    /// Verifies the current password.
    ///
    /// Attempts are rate limited like those at sign-in, but with a separate counter, so that guesses at the sign-in
    /// page do not keep the owner from changing the password.
    ///
    /// - Throws: ``PasswordHashingError``, `StoreError`, `ReadError`.
    package func proof(_ password: String) async throws -> Proof {
        guard isPasswordAsked else { return .given }
        let key = AccountRepository.AttemptKey(id: attemptID("current password " + account.name), throttle: .account)
        let wait = try await accounts.count([key], at: now)
        guard wait == 0 else { return .wait(seconds: wait) }
        guard try await passwords.verify(password, against: account.passwordHash) else { return .wrong }
        try await accounts.resetAttempts(account: key, address: nil)
        return .given
    }

    /// Indicates whether an action that grants access requires the password, because it was not verified in the
    /// last minutes.
    package var isProofDue: Bool { isPasswordAsked && !session.isProven(at: now) }

    /// Verifies the current password before an action that grants access. The verification is valid for a few
    /// minutes.
    ///
    /// - Throws: ``PasswordHashingError``, `StoreError`, `ReadError`.
    package func stepUp(_ password: String) async throws -> Proof {
        let proof = try await proof(password)
        if proof == .given { try await accounts.prove(session.id.uuid, at: now) }
        return proof
    }

    package enum Proof: Sendable, Hashable {
        case given, wrong
        case wait(seconds: Int)
    }
}
