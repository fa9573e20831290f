import AviaryDesign
package import AviaryDomain
package import Foundation

/// What a form says that asks for the current password before it does anything.
package struct OwnerForm: Sendable {
    package private(set) var passwordError: String?
    package private(set) var errorMessage: String?

    var notices: [Notice] { errorMessage.map { [Notice(.failure, $0)] } ?? [] }

    /// Does the work once the password has proven to be the owner's.
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
                passwordError = localized("This is not your current password.")
                return .refused
            case .wait(let seconds):
                errorMessage = Words.tooManyAttempts(seconds)
                return .wait(seconds: seconds)
            }
        } catch {
            let (outcome, message) = AccountOutcome.explaining(error)
            errorMessage = message
            return outcome
        }
    }

    /// The field for the current password, where it is asked for.
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
    /// What an error means to whoever sent a form, and what is said of it.
    static func explaining(_ error: any Error) -> (AccountOutcome, String) {
        switch error {
        case AccountError.signedOut: (.signedOut, AccountError.signedOut.description)
        case let error as AccountError: (.conflict, error.description)
        case PasswordHashingError.busy(let seconds):
            (.wait(seconds: seconds), PasswordHashingError.busy(retryAfter: seconds).message)
        case let error as PasswordHashingError: (.unavailable, error.message)
        case StoreError.unanswered:
            (
                .unavailable,
                localized(
                    "The store did not answer, so it is not known whether this was changed. Reload the page to see.")
            )
        default:
            (.unavailable, localized("Nothing was changed: the store takes no changes at the moment. Try again soon."))
        }
    }
}

/// Somebody at their own account, in one of its sessions.
package struct AccountOwner: Sendable {
    package let account: Account
    package let session: AccountSession
    package let principal: Principal
    /// The acting session, and the id under which it goes on after a change of how one signs in.
    package let renewal: SessionRenewal
    /// The password is asked for before anything is changed by which one signs in: a browser that is left alone must not be
    /// enough. Not where there is none yet.
    package let isPasswordAsked: Bool

    let accounts: AccountRepository
    let passwords: any PasswordHashing
    let now: Date
    private let attemptID: @Sendable (String) -> UUID

    /// - Parameters:
    ///   - id: Of the acting session.
    ///   - successor: The id of the session that takes its place with a change of how one signs in.
    ///   - attemptID: What attempts are counted by: text that names it, to the id under which it is stored.
    /// - Throws: ``AccountError/signedOut`` when the session has ended or is another's; `ReadError`.
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

    /// Looks at the current password. Attempts are counted as those at signing in, but apart: whoever tries there must not keep
    /// the owner from a new password.
    ///
    /// - Throws: ``PasswordHashingError``, `StoreError`, `ReadError`.
    package func proof(_ password: String) async throws -> Proof {
        guard isPasswordAsked else { return .given }
        let key = AccountRepository.AttemptKey(id: attemptID("current password " + account.name), throttle: .account)
        let wait = try await accounts.count([key], at: now)
        guard wait == 0 else { return .wait(seconds: wait) }
        guard try await passwords.verify(password, against: account.passwordHash) else { return .wrong }
        try await accounts.forgive(account: key, address: nil)
        return .given
    }

    /// Whether the password is to be given before an act that gives somebody access: it was not, these last minutes.
    package var isProofDue: Bool { isPasswordAsked && !session.isProven(at: now) }

    /// Looks at the current password before an act that gives somebody access; it counts for a few minutes.
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
