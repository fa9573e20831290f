/// A reason for which an account is not created or changed.
package enum AccountError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case nameTaken(String)
    case unknownRole(String)
    /// The change would leave nobody who may manage accounts.
    case lastAdmin
    /// The link was used, or has expired.
    case linkSpent
    /// The session in whose name it was to be done has ended meanwhile.
    case signedOut

    package var description: String {
        switch self {
        case .notFound: localized("There is no such account.")
        case .nameTaken(let name): localized("There is an account \(name) already. Choose another name.")
        case .unknownRole(let role): localized("This program has no role \"\(role)\".")
        case .lastAdmin:
            localized("Nobody would be left who may manage accounts. Give somebody else the role admin first.")
        case .linkSpent: localized("This link has been used, or is too old. Ask for a new one.")
        case .signedOut: localized("You were signed out meanwhile, so nothing was changed. Sign in again.")
        }
    }
}
