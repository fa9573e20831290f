import AviaryDomain
import Foundation
import TestSupport

@testable import AviaryAdmin

/// A person who is signed in without the form.
///
/// The session is created in the store, as the form does it after checking the password. Other tests cover the
/// form itself.
struct SignIn: Sendable {
    /// The server's data directory.
    let data: String
    /// The name of the session cookie.
    let cookieName: String
    var name = "local"
    var role = Role.admin.name

    /// Returns a new session's cookie.
    func cookie() async throws -> String {
        var cookie: String?
        try await eventually("the store of \(data) answers") {
            do {
                cookie = try await newCookie()
            } catch let error as StoreError where error.code == .unavailable {
                // A server of one process that handles a form of 2 MiB without optimization may delay its socket
                // for seconds.
            } catch let error as StoreError where error.code == .unanswered {
                // An unused session does no harm.
            }
            return cookie != nil
        }
        return cookie ?? ""
    }

    private func newCookie() async throws -> String {
        let connection = try StoreConnection(data: data)
        defer { connection.close() }
        let accounts = try AccountRepository(
            records: { try connection.records(of: $0) }, writer: connection.writer, roles: try Roles([Role("keeper")])
        )
        let account = try await account(accounts)
        let token = SecretToken()
        let visitor = ClientInfo(session: token.id, address: "127.0.0.1", userAgent: "a test")
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
