package import AviaryDomain
import AviaryLocalization
package import Foundation

/// The view model of the user's own account: its sign-in method and its sessions.
package struct OwnAccountViewModel: Sendable {
    package let owner: AccountOwner
    /// The session of this browser, followed by the others, the most recently seen first.
    package let sessions: [SessionRow]
    /// The number of sessions that are not shown.
    package let hiddenSessions: Int
    /// The changes that others made to the account's sign-in method, newest first.
    package let acts: [AccountAct]

    package struct SessionRow: Sendable, Hashable {
        package let id: UUID
        package let browser: String
        package let address: String
        package let began: String
        package let lastSeen: String
        package let isCurrent: Bool
    }

    private static let mostRows = 20

    /// Reads the sessions and changes.
    ///
    /// - Throws: `ReadError`.
    package init(owner: AccountOwner, limits: SessionLimits = SessionLimits()) async throws {
        self.owner = owner
        let open = try await owner.accounts.sessions(of: owner.account.id.uuid)
            .filter { $0.epoch == owner.account.epoch && !limits.isOver($0, at: owner.now) }
        let rows = open.map { SessionRow($0, isCurrent: $0.id == owner.session.id, at: owner.now) }
        let sorted = rows.filter(\.isCurrent) + rows.filter { !$0.isCurrent }
        sessions = Array(sorted.prefix(Self.mostRows))
        hiddenSessions = max(0, sorted.count - Self.mostRows)
        acts = try await AccountAct.recent(of: owner.account, in: owner.accounts, at: owner.now)
    }

    /// Ends another session of the account. A session that has ended already, or belongs to another account, is
    /// left unchanged.
    ///
    /// - Throws: `StoreError`, `ReadError`.
    package static func endSession(_ id: UUID, of owner: AccountOwner, address: String) async throws {
        guard let (_, account) = try await owner.accounts.session(id), account.id == owner.account.id else { return }
        try await owner.accounts.end(id, of: owner.principal, at: owner.now, address: address)
    }

    /// Ends all sessions of the account except this one, which continues under its new identifier.
    ///
    /// - Throws: ``AccountError/signedOut``, `StoreError`, `ReadError`.
    package static func endOtherSessions(of owner: AccountOwner, address: String) async throws {
        try await owner.accounts.endOthers(
            of: owner.principal, renewing: owner.renewal, at: owner.now, address: address)
    }
}

extension OwnAccountViewModel.SessionRow {
    init(_ session: AccountSession, isCurrent: Bool, at now: Date) {
        self.init(
            id: session.id.uuid, browser: BrowserNameFormatter.text(session.userAgent), address: session.address,
            began: DateTextFormatter.age(of: session.beganAt, at: now),
            lastSeen: DateTextFormatter.age(of: session.lastSeenAt, at: now),
            isCurrent: isCurrent
        )
    }
}

/// The change just made to the user's own account, as the address of its page names it.
package enum OwnAccountNotice: String, Sendable, CaseIterable {
    case password, secondFactorRemoved, sessionEnded, otherSessionsEnded

    package var path: String { AccountPaths.own + "?done=" + rawValue }

    var text: String {
        switch self {
        case .password: localized("Saved your new password. Other browsers have to sign in again.")
        case .secondFactorRemoved: localized("Turned off two-factor authentication")
        case .sessionEnded: localized("Signed out the browser")
        case .otherSessionsEnded: localized("Signed out all other browsers")
        }
    }
}

/// The description of a browser from its `User-Agent`, for example `Firefox on Windows`. It is only a hint for the
/// owner, because a client can send any text.
enum BrowserNameFormatter {
    /// The marks of the browsers. The first match counts, because most browsers claim to be several.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Vivaldi/", "Vivaldi"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
        ("Chrome/", "Chrome"), ("Version/", "Safari"), ("Safari/", "Safari"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"),
        ("Windows", "Windows"),
        ("Macintosh", "a Mac"), ("Linux", "Linux"), ("X11", "Unix"),
    ]

    static func text(_ userAgent: String) -> String {
        let isBrowser = userAgent.hasPrefix("Mozilla/")
        guard isBrowser, let browser = browsers.first(where: { userAgent.contains($0.mark) }) else {
            let program = userAgent.prefix { $0 != "/" && $0 != " " }.prefix(40)
            return isBrowser || program.isEmpty ? localized("Unknown browser") : String(program)
        }
        let system = systems.first { userAgent.contains($0.mark) }
        return system.map { localized("\(browser.name) on \($0.name.translated)") } ?? browser.name
    }
}

/// A change that somebody else made to an account's sign-in method, in words for its owner.
package struct AccountAct: Sendable, Hashable {
    package let time: Date
    let text: String

    init?(_ event: AuditEvent) {
        let who = event.account.map(TextFormatter.author) ?? localized("Someone")
        let address = event.address.map { localized("from the address \($0)") } ?? localized("on the server")
        switch event.kind {
        case .linkMade: text = localized("\(who) created a link to set your password, \(address).")
        case .linkUsed:
            text = localized("A link from \(who) was used to choose the first password, \(address).")
        case .passwordSetByLink:
            text = localized("A link from \(who) was used to change your password, \(address).")
        case .passwordSet: text = localized("\(who) changed your password, \(address).")
        case .secondFactorReset: text = localized("\(who) removed your two-factor authentication, \(address).")
        default: return nil
        }
        time = event.time
    }
}

extension AccountAct {
    /// The period in seconds for which the account page lists such changes.
    private static let memory: TimeInterval = 90 * 86_400
    /// The period in seconds for which every sign-in reports such changes, even if there was a sign-in since.
    /// Otherwise an attacker who took over an account could hide the change from its owner by signing in.
    private static let noticeTime: TimeInterval = 7 * 86_400
    /// The largest number of changes of each kind.
    private static let mostRows = 5

    /// Returns the changes of the last 90 days.
    static func recent(of account: Account, in accounts: AccountRepository, at now: Date) async throws -> [AccountAct] {
        try await accounts.actsOnAccount(
            named: account.name, since: now.addingTimeInterval(-memory), limit: mostRows
        ).compactMap(AccountAct.init)
    }

    /// Indicates whether there are changes that the owner, who has just signed in, should check.
    ///
    /// These are the changes since the previous sign-in, and at least those of the last week. Creating a link, or
    /// using it for the first password, is not reported, because the owner used that link.
    ///
    /// - Throws: `ReadError`.
    package static func areNews(to principal: Principal, in accounts: AccountRepository, at now: Date) async throws
        -> Bool
    {
        let last = try await accounts.signInBeforeLast(of: principal.name) ?? .distantPast
        let start = max(min(last, now.addingTimeInterval(-noticeTime)), now.addingTimeInterval(-memory))
        return try await !accounts.actsOnAccount(
            named: principal.name, of: [.passwordSetByLink, .passwordSet, .secondFactorReset], since: start, limit: 1
        ).isEmpty
    }
}
