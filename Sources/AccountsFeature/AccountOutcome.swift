package import AviaryDomain

/// What became of a form about an account.
package enum AccountOutcome: Sendable, Hashable {
    case done
    /// Something that was typed will not do: the view model's messages say what.
    case refused
    /// It does not fit what is stored: the message says why.
    case conflict
    /// It was not looked at; try again after so many seconds.
    case wait(seconds: Int)
    /// The session has ended meanwhile.
    case signedOut
    /// The store does not answer.
    case unavailable
}

/// The addresses of the pages of accounts.
package enum AccountPaths {
    package static let signIn = "/login"
    package static let signOut = "/logout"
    /// One's own account.
    package static let own = ModelPaths.admin + "/account"
    package static let password = own + "/password"
    package static let secondFactor = own + "/second-factor"
    package static let removeSecondFactor = own + "/second-factor/remove"
    package static let recoveryCodes = own + "/recovery-codes"
    package static let endSession = own + "/sessions/end"
    /// Everybody's.
    package static let all = ModelPaths.admin + "/accounts"
    package static let new = all + "/new"

    package static func account(_ name: String) -> String { all + "/" + FormEncoding.escape(name) }

    package static func signIn(returningTo path: LocalPath?) -> String {
        path.map { signIn + "?next=" + FormEncoding.escape($0.text) } ?? signIn
    }

    /// One's own account, for somebody who has signed in and should look at it before going on.
    package static func own(before path: LocalPath?) -> String {
        own + "?next=" + FormEncoding.escape(path?.text ?? ModelPaths.admin)
    }

    package static func link(_ token: String) -> String { signIn + "?link=" + token }
}

extension Words {
    /// - Parameter seconds: Until one may try again.
    static func tooManyAttempts(_ seconds: Int) -> String {
        localized(
            seconds, one: "There were too many attempts. Wait a second, then try again.",
            other: "There were too many attempts. Wait \(seconds) seconds, then try again."
        )
    }
}
