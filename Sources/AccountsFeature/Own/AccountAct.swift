package import AviaryDomain
package import Foundation

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
