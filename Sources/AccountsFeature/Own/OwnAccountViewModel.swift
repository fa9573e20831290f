package import AviaryDomain
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
