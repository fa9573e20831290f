import AviaryLocalization

/// What may be done with somebody's account, as forms name it.
package enum AccountAction: String, Sendable, CaseIterable {
    case role, disable, enable, link
    case resetSecondFactor = "second-factor"
    case signOut = "sign-out"

    /// What is told afterwards, on the account's page; nil where its answer is a page of its own.
    var news: String? {
        switch self {
        case .role: localized("The role is changed.")
        case .disable: localized("The account is disabled, and signed out everywhere.")
        case .enable: localized("The account is enabled.")
        case .resetSecondFactor: localized("The second factor is gone. It can be set up again after signing in.")
        case .signOut: localized("The account is signed out everywhere.")
        case .link: nil
        }
    }

    /// The account's page, telling that it was done.
    package func path(of name: String) -> String { AccountPaths.account(name) + "?done=" + rawValue }

    /// Whether the password is asked for before it: it gives somebody access, or takes a protection away.
    package var needsStepUp: Bool {
        switch self {
        case .role, .enable, .link, .resetSecondFactor: true
        case .disable, .signOut: false
        }
    }
}
