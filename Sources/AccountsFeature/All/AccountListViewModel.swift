package import AviaryDomain

/// Everybody's accounts, for whoever may manage them.
package struct AccountListViewModel: Sendable {
    package let accounts: [Account]
    package let count: Int
    /// The last name of this page, where another follows.
    package let next: String?
    package let isFirst: Bool

    private static let pageSize = 50

    /// - Parameter after: The last name of the page before; nil for the first.
    /// - Throws: ``AccessRefusal``, `ReadError`.
    package init(principal: Principal, accounts repository: AccountRepository, after: String? = nil) async throws {
        try principal.check(.accounts)
        let page = try await repository.fetchPage(after: after, size: Self.pageSize)
        self.init(
            page.accounts, count: try await repository.count(), next: page.hasMore ? page.accounts.last?.name : nil,
            isFirst: after == nil
        )
    }

    init(_ accounts: [Account], count: Int, next: String?, isFirst: Bool = true) {
        self.accounts = accounts
        self.count = count
        self.next = next
        self.isFirst = isFirst
    }
}

extension Account {
    /// How one signs in with it, in words.
    var signInWords: String {
        switch (passwordHash, oneTimeSecret) {
        case (nil, nil): localized("No password yet")
        case (nil, _): localized("No password yet, second factor")
        case (_, nil): localized("Password")
        default: localized("Password and second factor")
        }
    }
}
