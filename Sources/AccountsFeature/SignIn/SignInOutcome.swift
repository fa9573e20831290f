package import AviaryDomain

/// What became of an attempt to sign in.
package enum SignInOutcome: Sendable, Hashable {
    case signedIn(Principal)
    /// The password was right; a one-time one is asked for.
    case needsCode
    /// It was wrong, or may not be looked at yet: the view model's message says so.
    case refused
    /// It was not looked at: too many attempts, or too many at once. Try again after so many seconds.
    case wait(seconds: Int)
    /// The store does not answer.
    case unavailable
}
