/// What has just been done to one's own account, as the address of its page names it.
package enum OwnAccountNews: String, Sendable, CaseIterable {
    case password, secondFactorRemoved, sessionEnded, otherSessionsEnded

    package var path: String { AccountPaths.own + "?done=" + rawValue }

    var text: String {
        switch self {
        case .password: "Your new password is stored. Other browsers have to sign in again."
        case .secondFactorRemoved: "The second factor is turned off."
        case .sessionEnded: "That browser is signed out."
        case .otherSessionsEnded: "All other browsers are signed out."
        }
    }
}
