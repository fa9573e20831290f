package import AviaryDomain
import AviaryLocalization
package import Foundation

/// The view model of one account, for users who are allowed to manage accounts.
package struct AccountViewModel: Sendable {
    package let account: Account
    /// The number of browsers that are signed in to the account.
    package let openSessions: Int
    package let lastSeen: Date?
    package private(set) var errorMessage: String?
    /// The link that sets the account's password, once. The store contains only a hash of it.
    package private(set) var link: String?

    let roles: [Role]
    let now: Date
    private let principal: Principal
    private let accounts: AccountRepository

    /// Reads the account.
    ///
    /// - Throws: ``AccessError``; ``AccountError/notFound``; `ReadError`.
    package init(
        name: String, principal: Principal, accounts: AccountRepository, limits: SessionLimits = SessionLimits(),
        at now: Date
    ) async throws {
        try principal.check(.accounts)
        guard let name = AccountName(name), let account = try await accounts.account(named: name) else {
            throw AccountError.notFound
        }
        let sessions = try await accounts.sessions(of: account.id.uuid)
        self.init(
            account, openSessions: sessions.count { $0.epoch == account.epoch && !limits.isOver($0, at: now) },
            lastSeen: sessions.first?.lastSeenAt, principal: principal, accounts: accounts, at: now
        )
    }

    init(
        _ account: Account, openSessions: Int = 0, lastSeen: Date? = nil, principal: Principal,
        accounts: AccountRepository,
        at now: Date
    ) {
        self.account = account
        self.openSessions = openSessions
        self.lastSeen = lastSeen
        self.principal = principal
        self.accounts = accounts
        self.now = now
        roles = accounts.roles.all
    }

    /// Indicates whether this is the user's own account. It cannot be changed here, so that a wrong click does not
    /// lock the user out.
    package var isOwn: Bool { account.id.uuid == principal.account }

    /// The actions that are possible in the account's current state.
    var actions: Set<AccountAction> {
        guard !isOwn else { return [] }
        guard !account.isDisabled else { return [.role, .enable] }
        var actions: Set<AccountAction> = [.role, .disable, .link]
        if account.oneTimeSecret != nil { actions.insert(.resetSecondFactor) }
        if openSessions > 0 { actions.insert(.signOut) }
        return actions
    }

    static var ownAccount: String {
        localized(
            "This is your own account. Only another person who manages accounts can change its role or disable it.")
    }

    /// Performs an action on the account.
    ///
    /// - Parameters:
    ///   - role: The new role, if the action changes it.
    ///   - address: The network address of the request.
    ///   - makeLink: A closure that returns the path of a new link that sets the account's password.
    package mutating func perform(
        _ action: AccountAction, role: String?, from address: String?, makeLink: (Account) async throws -> String
    ) async -> AccountOutcome {
        guard !isOwn else {
            errorMessage = Self.ownAccount
            return .conflict
        }
        if let refusal = refusal(of: action, role: role) {
            errorMessage = refusal
            return .conflict
        }
        do {
            let (id, author) = (account.id.uuid, principal.name)
            switch action {
            case .role: try await accounts.setRole(role ?? "", of: id, by: author)
            case .disable: try await accounts.setDisabled(true, of: id, by: author)
            case .enable: try await accounts.setDisabled(false, of: id, by: author)
            case .resetSecondFactor:
                let event = AuditEvent(
                    .secondFactorReset, at: now, account: author, address: address, subject: account.name)
                try await accounts.removeSecondFactor(of: id, noting: event, by: author)
            case .signOut: try await accounts.endSessions(of: id, by: author)
            case .link:
                guard !account.isDisabled else {
                    errorMessage = localized("This account is disabled. Enable it before you create a link.")
                    return .conflict
                }
                link = try await makeLink(account)
            }
            return .done
        } catch {
            let (outcome, message) = AccountOutcome.explaining(error)
            errorMessage = message
            return outcome
        }
    }

    /// Returns the reason why the principal is not allowed to perform the action despite being allowed to manage
    /// accounts. Users cannot grant, or take over, more permissions than they have.
    private func refusal(of action: AccountAction, role: String?) -> String? {
        let given: String
        switch action {
        case .role: given = role ?? ""
        case .link, .resetSecondFactor: given = account.role
        case .disable, .enable, .signOut: return nil
        }
        return accounts.roles.role(given).map(principal.role.covers) == false ? Self.roleBeyondOwn : nil
    }

    static var roleBeyondOwn: String {
        localized("This role allows more than yours. Ask someone who has this role.")
    }
}

/// An action on an account, as forms name it.
package enum AccountAction: String, Sendable, CaseIterable {
    case role, disable, enable, link
    case resetSecondFactor = "second-factor"
    case signOut = "sign-out"

    /// The message on the account's page after the action; nil if the action has its own result page.
    var news: String? {
        switch self {
        case .role: localized("Changed the role")
        case .disable: localized("Disabled the account and signed it out everywhere")
        case .enable: localized("Enabled the account")
        case .resetSecondFactor:
            localized("Removed two-factor authentication. The account can set it up again after signing in.")
        case .signOut: localized("Signed the account out everywhere")
        case .link: nil
        }
    }

    /// Returns the address of the account's page with the message about the action.
    package func path(of name: String) -> String { AccountPaths.account(name) + "?done=" + rawValue }

    /// Indicates whether the action requires the password again, because it grants access or removes a protection.
    package var needsStepUp: Bool {
        switch self {
        case .role, .enable, .link, .resetSecondFactor: true
        case .disable, .signOut: false
        }
    }
}
