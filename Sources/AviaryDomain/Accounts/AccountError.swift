/// Why an account is not made or changed.
package enum AccountError: Error, Sendable, Hashable, CustomStringConvertible {
    case notFound
    case nameTaken(String)
    case unknownRole(String)
    /// Nobody would be left who may manage accounts.
    case lastAdmin
    /// The link was used, or has expired.
    case linkSpent
    /// The session in whose name it was to be done has ended meanwhile.
    case signedOut

    package var description: String {
        switch self {
        case .notFound: "There is no such account."
        case .nameTaken(let name): "There is an account \(name) already. Choose another name."
        case .unknownRole(let role): "This program has no role \"\(role)\"."
        case .lastAdmin: "Nobody would be left who may manage accounts. Give somebody else the role admin first."
        case .linkSpent: "This link has been used, or is too old. Ask for a new one."
        case .signedOut: "You were signed out meanwhile, so nothing was changed. Sign in again."
        }
    }
}
