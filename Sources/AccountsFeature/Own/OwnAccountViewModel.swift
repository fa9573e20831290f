package import AviaryDomain
import AviaryLocalization
package import Foundation

/// One's own account: how one signs in, and where one is signed in.
package struct OwnAccountViewModel: Sendable {
    package let owner: AccountOwner
    /// This browser's first, then the others, the last seen first.
    package let sessions: [SessionRow]
    /// More there are than are shown.
    package let hiddenSessions: Int
    /// What others did to how one signs in, newest first.
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

    /// Ends another session of the account's. One that has ended already, or is another's, is left as it is.
    ///
    /// - Throws: `StoreError`, `ReadError`.
    package static func endSession(_ id: UUID, of owner: AccountOwner, address: String) async throws {
        guard let (_, account) = try await owner.accounts.session(id), account.id == owner.account.id else { return }
        try await owner.accounts.end(id, of: owner.principal, at: owner.now, address: address)
    }

    /// Ends all sessions of the account's but this one, which goes on under its new id.
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
            id: session.id.uuid, browser: BrowserWords.text(session.userAgent), address: session.address,
            began: DateWords.age(of: session.beganAt, at: now),
            lastSeen: DateWords.age(of: session.lastSeenAt, at: now),
            isCurrent: isCurrent
        )
    }
}

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

/// A browser in words, from what it says it is: `Firefox on Windows`. A hint for its owner and no more: anything can be said.
enum BrowserWords {
    /// The first that fits counts: most claim to be several.
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
            return isBrowser || program.isEmpty ? localized("A browser that does not say which") : String(program)
        }
        let system = systems.first { userAgent.contains($0.mark) }
        return system.map { localized("\(browser.name) on \($0.name.translated)") } ?? browser.name
    }
}

/// Something that somebody else did to how an account signs in, as its owner reads it.
package struct AccountAct: Sendable, Hashable {
    package let time: Date
    let text: String

    init?(_ event: AuditEvent) {
        let who = event.account.map(Words.author) ?? localized("Somebody")
        let address = event.address.map { localized("from the address \($0)") } ?? localized("on the server")
        switch event.kind {
        case .linkMade: text = localized("\(who) made a link that sets your password, \(address).")
        case .linkUsed:
            text = localized("A link that \(who) had made was used to choose the first password, \(address).")
        case .passwordSetByLink:
            text = localized("A link that \(who) had made was used to set another password, \(address).")
        case .passwordSet: text = localized("\(who) set another password, \(address).")
        case .secondFactorReset: text = localized("\(who) removed your second factor, \(address).")
        default: return nil
        }
        time = event.time
    }
}

extension AccountAct {
    /// How far back the page of one's own account tells of them, in seconds.
    private static let memory: TimeInterval = 90 * 86_400
    /// For how long a sign-in tells of them, in seconds, even if somebody else signed in before: who took an account over must
    /// not hide it from its owner by a sign-in.
    private static let noticeTime: TimeInterval = 7 * 86_400
    /// Of each kind.
    private static let mostRows = 5

    /// Those of the last months.
    static func recent(of account: Account, in accounts: AccountRepository, at now: Date) async throws -> [AccountAct] {
        try await accounts.actsOnAccount(
            named: account.name, since: now.addingTimeInterval(-memory), limit: mostRows
        ).compactMap(AccountAct.init)
    }

    /// Whether there are some that the owner, who has just signed in, should look at: of since the sign-in before, and at least
    /// of the last week. That a link was made, or led to the first password, is no news to who has used it.
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
