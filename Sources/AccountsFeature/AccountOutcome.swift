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
