package import AviaryDesign
package import AviaryDomain

/// The view model of all accounts, for users who are allowed to manage them.
package struct AccountListViewModel: Sendable {
    package let accounts: [Account]
    package let count: Int
    /// The last name on this page; nil if it is the last page.
    package let next: String?
    package let isFirst: Bool

    private static let pageSize = 50

    /// Reads a page of accounts.
    ///
    /// - Parameter after: The last name of the previous page; nil for the first page.
    /// - Throws: ``AccessError``, `ReadError`.
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
    /// The sign-in method of the account in words.
    var signInWords: String {
        switch (passwordHash, oneTimeSecret) {
        case (nil, nil): localized("No password yet")
        case (nil, _): localized("No password yet, 2FA")
        case (_, nil): localized("Password")
        default: localized("Password and 2FA")
        }
    }
}

/// The list of accounts.
package struct AccountListView: Component {
    let model: AccountListViewModel

    package init(model: AccountListViewModel) {
        self.model = model
    }

    package static var title: String { localized("Accounts") }

    package func render(into html: inout HTML) {
        html.render(
            ListHeader(
                title: Self.title, count: model.count, addTitle: localized("Add account"), addHref: AccountPaths.new))
        html.render(
            RecordTable(
                columns: [localized("Name"), localized("Role"), localized("Sign-in method"), localized("Status")].map {
                    TableColumn(title: $0, sortHref: nil)
                },
                rows: model.accounts.map { account in
                    TableRow(
                        id: account.id.uuid.canonicalText, href: AccountPaths.account(account.name),
                        title: account.name,
                        cells: [
                            .text(account.name), .text(account.role.roleTitle), .text(account.signInWords),
                            account.isDisabled
                                ? .choice(label: localized("Disabled"), hue: 2)
                                : .choice(label: localized("Active"), hue: 0),
                        ])
                },
                deleteAction: nil, caption: localized("Accounts, sorted by name"), returnTo: nil
            ))
        guard !model.isFirst || model.next != nil else { return }
        html.render(
            PageFooter(
                summary: localized("\(model.accounts.count) of \(model.count), sorted by name"),
                previousHref: model.isFirst ? nil : AccountPaths.all,
                nextHref: model.next.map { AccountPaths.all.withQuery("after=" + FormEncoding.escape($0)) }
            ))
    }
}
