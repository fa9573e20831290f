import AccountsFeature
package import AviaryDomain
package import Foundation
import Logging

/// The link with which the first person signs in, when there is no account or only sample data.
struct InitialSignIn: Sendable {
    let container: DependencyContainer
    let isDemo: Bool

    static let demoName = "demo"
    /// The account of a demo. It has no password, so only the link signs in.
    static var demoAccount: Account {
        Account(name: demoName, role: Role.admin.name, passwordHash: nil, createdAt: Date())
    }
    /// The lifetime of the link in seconds. A person who starts a server sees its output.
    private static let lifetime: TimeInterval = 3600
    /// The lifetime of a demo's link in seconds. It is as long as anybody looks at sample data.
    private static let demoLifetime: TimeInterval = 30 * 86_400

    /// Returns the path of the link; nil when there are accounts, unless the server is a demo with its own
    /// account.
    func path() async throws -> String? {
        if isDemo, let name = AccountName(Self.demoName),
            let account = try await container.accounts.account(named: name)
        {
            return try await container.makeLink(for: account, by: AccountRepository.author, lifetime: Self.demoLifetime)
        }
        guard try await container.accounts.isEmpty() else { return nil }
        return try await container.makeLink(for: nil, by: AccountRepository.author, lifetime: Self.lifetime)
    }
}

extension DependencyContainer {
    /// The time for which a link is valid, in seconds.
    package static let linkLifetime: TimeInterval = 86_400

    /// Creates a link and returns its path. The link sets the account's password once or, without an account, leads
    /// to the form that creates the first account.
    package func makeLink(
        for account: Account?, by author: String, from address: String? = nil, lifetime: TimeInterval = linkLifetime
    ) async throws -> String {
        let token = SecretToken(), now = Date()
        try await accounts.addLink(
            token.id, for: account?.id.uuid, until: now.addingTimeInterval(lifetime), by: author, from: address, at: now
        )
        return AccountPaths.link(token.text)
    }
}
