import AccountsFeature
import AviaryDomain
import Foundation
import Logging

/// How the first person gets in: a link, where there is no account, or where there is nothing but sample data.
struct FirstSignIn: Sendable {
    let container: DependencyContainer
    let isDemo: Bool

    static let demoName = "demo"
    /// Has no password: there is only the link.
    static var demoAccount: Account {
        Account(name: demoName, role: Role.admin.name, passwordHash: nil, createdAt: Date())
    }
    /// In seconds: whoever starts a server sees what it prints.
    private static let lifetime: TimeInterval = 3600
    /// As long as anybody looks at samples.
    private static let demoLifetime: TimeInterval = 30 * 86_400

    /// The path of the link; nil where people have accounts.
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
