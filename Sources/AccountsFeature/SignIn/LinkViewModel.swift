package import AviaryDomain
package import Foundation

/// Signing in by a link: as the account that it was made for, or, in a new store, as the first admin.
package struct LinkViewModel: Sendable {
    package let link: SignInLink
    /// Whom it signs in; nil where the first account is still to be made.
    package let account: Account?
    /// The name as typed.
    package internal(set) var name = ""
    package internal(set) var nameError: String?
    package internal(set) var passwordError: String?
    package private(set) var errorMessage: String?

    let accounts: AccountRepository
    let passwords: any PasswordHashing

    /// - Throws: ``AccountError/linkSpent`` for a link that was used or is too old; `ReadError`.
    package init(
        id: UUID, accounts: AccountRepository, passwords: any PasswordHashing, at now: Date
    ) async throws {
        guard let (link, account) = try await accounts.link(id, at: now) else { throw AccountError.linkSpent }
        self.link = link
        self.account = account
        self.accounts = accounts
        self.passwords = passwords
    }

    package mutating func say(_ message: String) {
        errorMessage = message
    }

    /// Signs in as the account of the link.
    ///
    /// - Throws: ``AccountError``, `StoreError`.
    package func signIn(visitor: Visitor, at now: Date) async throws -> Principal {
        guard let account, let principal = accounts.principal(of: account) else { throw AccountError.linkSpent }
        try await accounts.use(
            link, for: visitor.session(of: account, at: now), of: account, isNew: false, replacing: visitor.old, at: now
        )
        return principal
    }

    /// Makes the first account, an admin, and signs in.
    ///
    /// - Returns: Nil when name or password will not do; the messages say why.
    /// - Throws: ``AccountError``, `StoreError`, ``PasswordHashingError``.
    package mutating func makeAdmin(
        name typed: String, password: String, repeated: String, visitor: Visitor, at now: Date
    ) async throws -> Principal? {
        name = typed
        let accountName = AccountName(typed.trimmingCharacters(in: .whitespaces))
        nameError = accountName == nil ? AccountName.rule + "." : nil
        passwordError =
            PasswordRules(names: [typed]).problem(with: password)?.text
            ?? (password == repeated ? nil : localized("The two passwords are not the same."))
        guard let accountName, passwordError == nil else { return nil }
        let account = Account(
            name: accountName.text, role: Role.admin.name, passwordHash: try await passwords.hash(password),
            createdAt: now
        )
        guard let principal = accounts.principal(of: account) else { return nil }
        try await accounts.use(
            link, for: visitor.session(of: account, at: now), of: account, isNew: true, replacing: visitor.old, at: now)
        return principal
    }
}
