import Foundation
import TestSupport

@testable import AviaryAdmin
@testable import AviaryDomain

/// The accounts of a server's data directory. They are changed from outside, as a command does it.
struct AccountBook: Sendable {
    let data: String

    init(_ server: Server) { data = server.data }

    func use<Result>(_ body: (AccountRepository) async throws -> Result) async throws -> Result {
        let connection = try StoreConnection(data: data, patience: Patience.bound)
        defer { connection.close() }
        return try await body(
            try AccountRepository(
                records: { try connection.records(of: $0) }, writer: connection.writer, roles: try Roles()
            ))
    }

    func account(_ name: String) async throws -> Account {
        try await use { try await $0.existing(try name.accountName) }
    }

    /// Adds an account with a password whose hash is cheap. The server then also rejects a wrong password quickly.
    @discardableResult
    func add(_ name: String, password: String, role: Role = .editor) async throws -> Account {
        let hash = try await Self.passwords.hash(password)
        let account = Account(name: name, role: role.name, passwordHash: hash, createdAt: Date())
        try await use { try await $0.add(account, by: "test") }
        return account
    }

    /// Changes every session of the account so that it was last seen the given time ago.
    func age(sessionsOf name: String, by seconds: TimeInterval) async throws {
        let account = try await account(name)
        try await use { accounts in
            for session in try await accounts.sessions(of: account.id.uuid) {
                try await accounts.touch(session, at: Date().addingTimeInterval(-seconds), address: session.address)
            }
        }
    }

    /// Makes everyone with the given number of failures wait for minutes, by moving the last failure into the
    /// future.
    ///
    /// However long hashing takes on a busy machine, the wait is not over at the next attempt.
    func prolongWaits(afterFailures count: Int) async throws {
        try await use { accounts in
            for counted in try await accounts.attempts.fetch(FetchDescriptor()) where counted.failures >= count {
                try await accounts.attempts.update(counted.id) { $0.lastFailureAt = Date().addingTimeInterval(240) }
            }
        }
    }

    static let passwords = ScryptPasswords(parameters: ScryptParameters(logarithm: 10, blockSize: 8, parallelism: 1))
}

extension String {
    fileprivate var accountName: AccountName {
        get throws {
            guard let name = AccountName(self) else { throw AccountError.notFound }
            return name
        }
    }
}
