package import Foundation

/// Accounts with their sessions: what is read of them, and every change that there is.
///
/// Changes are change sets like any others, so they are atomic, durable and known to every process when they return.
package struct AccountRepository: Sendable {
    let accounts: Repository<Account>
    let sessions: Repository<AccountSession>
    let links: Repository<SignInLink>
    let events: Repository<AuditEvent>
    let attempts: Repository<SignInAttempts>
    let writer: any ChangeWriter
    package let roles: Roles

    /// - Parameter records: The records of a model, as the store's readers have them.
    package init(
        records: (ModelSchema) throws -> any ModelRecords, writer: any ChangeWriter, roles: Roles
    ) rethrows {
        accounts = Repository(try records(Account.schema), author: Self.author)
        sessions = Repository(try records(AccountSession.schema), author: Self.author)
        links = Repository(try records(SignInLink.schema), author: Self.author)
        events = Repository(try records(AuditEvent.schema), author: Self.author)
        attempts = Repository(try records(SignInAttempts.schema), author: Self.author)
        self.writer = writer
        self.roles = roles
    }

    /// The author of the server's own changes.
    package static let author = "aviary"

    package func account(_ id: UUID) async throws -> Account? {
        try await accounts.find(RecordID(id))
    }

    package func account(named name: AccountName) async throws -> Account? {
        let text = name.text
        return try await accounts.fetch(FetchDescriptor(predicate: #Predicate { $0.name == text })).first
    }

    /// All accounts, by their names.
    package func fetchAll() async throws -> [Account] {
        try await accounts.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
    }

    /// Returns at most the given number of accounts, sorted by name.
    package func fetchPage(after name: String?, size: Int) async throws -> (accounts: [Account], hasMore: Bool) {
        var descriptor = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)])
        if let name { descriptor.predicate = #Predicate { $0.name > name } }
        descriptor.fetchLimit = size + 1
        let found = try await accounts.fetch(descriptor)
        return (Array(found.prefix(size)), found.count > size)
    }

    package func count() async throws -> Int {
        try await accounts.fetchCount()
    }

    package func isEmpty() async throws -> Bool {
        try await accounts.fetchCount() == 0
    }

    /// Returns the account with its current permissions, or nil when it is disabled. A role that the program does not
    /// have, or no longer has, allows nothing.
    package func principal(of account: Account) -> Principal? {
        guard !account.isDisabled else { return nil }
        let role = roles.role(account.role) ?? Role(account.role)
        return Principal(
            account: account.id.uuid, name: account.name, role: role, epoch: account.epoch,
            lacksSecondFactor: role.requiresSecondFactor && account.oneTimeSecret == nil
        )
    }
}
