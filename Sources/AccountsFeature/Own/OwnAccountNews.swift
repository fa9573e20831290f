import AviaryLocalization

/// What has just been done to one's own account, as the address of its page names it.
package enum OwnAccountNews: String, Sendable, CaseIterable {
    case password, secondFactorRemoved, sessionEnded, otherSessionsEnded

    package var path: String { AccountPaths.own + "?done=" + rawValue }

    var text: String {
        switch self {
        case .password: localized("Your new password is stored. Other browsers have to sign in again.")
        case .secondFactorRemoved: localized("The second factor is turned off.")
        case .sessionEnded: localized("That browser is signed out.")
        case .otherSessionsEnded: localized("All other browsers are signed out.")
        }
    }
}
