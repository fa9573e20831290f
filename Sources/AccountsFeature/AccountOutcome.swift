package import AviaryDomain

/// The outcome of a submitted account form.
package enum AccountOutcome: Sendable, Hashable {
    case done
    /// The input is invalid. The view model's messages describe the problems.
    case refused
    /// The form conflicts with the stored account. The message gives the reason.
    case conflict
    /// The request was rate limited and not processed. It can be retried after the given number of seconds.
    case wait(seconds: Int)
    /// The session has ended in the meantime.
    case signedOut
    /// The store does not respond.
    case unavailable
}

/// The addresses of the account pages.
package enum AccountPaths {
    package static let signIn = "/login"
    package static let signOut = "/logout"
    /// The page of the user's own account.
    package static let own = ModelPaths.admin + "/account"
    package static let password = own + "/password"
    package static let secondFactor = own + "/second-factor"
    package static let removeSecondFactor = own + "/second-factor/remove"
    package static let recoveryCodes = own + "/recovery-codes"
    package static let endSession = own + "/sessions/end"
    /// The page of all accounts.
    package static let all = ModelPaths.admin + "/accounts"
    package static let new = all + "/new"

    package static func account(_ name: String) -> String { all + "/" + FormEncoding.escape(name) }

    package static func signIn(returningTo path: LocalPath?) -> String {
        path.map { signIn + "?next=" + FormEncoding.escape($0.text) } ?? signIn
    }

    /// Returns the address of the user's own account, for a user who has signed in and should check the account
    /// before continuing.
    package static func own(before path: LocalPath?) -> String {
        own + "?next=" + FormEncoding.escape(path?.text ?? ModelPaths.admin)
    }

    package static func link(_ token: String) -> String { signIn + "?link=" + token }
}

extension TextFormatter {
    /// Returns the message about too many attempts.
    ///
    /// - Parameter seconds: The number of seconds until the next attempt is allowed.
    static func tooManyAttempts(_ seconds: Int) -> String {
        localized(
            seconds, one: "Too many attempts. Try again in 1 second.",
            other: "Too many attempts. Try again in \(seconds) seconds."
        )
    }
}
