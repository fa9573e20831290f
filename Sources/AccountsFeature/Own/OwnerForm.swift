import AviaryDesign
import AviaryDomain

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
