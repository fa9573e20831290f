import AviaryDomain
import Foundation

@testable import AviaryServer

/// Somebody who is signed in at a server, without the form: the session is made in the store, as the form makes it once it has
/// seen the password. What the form itself does is tested where it is the subject.
struct SignIn: Sendable {
    /// The server's data directory.
    let data: String
    /// The name of its sessions' cookie.
    let cookieName: String
    var name = "local"
    var role = Role.admin.name

    /// A new session's cookie.
    func cookie() async throws -> String {
        for _ in 0..<5 {
            do {
                return try await newCookie()
            } catch StoreError.unavailable {
                // A server of one process that takes a form of 2 MiB, unoptimised, may let its socket wait for seconds.
                continue
            } catch StoreError.unanswered {
                // A session that nobody uses is no harm.
                continue
            }
        }
        return try await newCookie()
    }

    private func newCookie() async throws -> String {
        let connection = try StoreConnection(data: data)
        defer { connection.close() }
        let accounts = try AccountRepository(
            records: { try connection.records(of: $0) }, writer: connection.writer,
            roles: try Roles([Role("keeper"), Role("volunteer"), Role("treasurer")])
        )
        let account = try await account(accounts)
        let token = SecretToken()
        let visitor = Visitor(session: token.id, address: "127.0.0.1", userAgent: "a test")
        try await accounts.begin(visitor.session(of: account, at: Date()), of: account, at: Date())
        return token.text
    }

    private func account(_ accounts: AccountRepository) async throws -> Account {
        guard let accountName = AccountName(name) else { throw AccountError.notFound }
        if let account = try await accounts.account(named: accountName) { return account }
        do {
            let account = Account(name: name, role: role, passwordHash: nil, createdAt: Date())
            try await accounts.add(account, by: "test")
            return account
        } catch AccountError.nameTaken {
            return try await accounts.existing(accountName)
        }
    }
}
