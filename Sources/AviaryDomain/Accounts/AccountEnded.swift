/// Why long work was ended between two of its steps: whoever began it may not go on with it.
package struct AccountEnded: Error, Sendable, Hashable, CustomStringConvertible {
    package init() {}

    package var description: String {
        localized(
            "The account that began this was disabled or signed out everywhere, or may not do this any more. What was done before stays."
        )
    }
}

extension AccountEnded: RedactedError {
    package var redacted: String { description }
}

extension AccountRepository {
    /// The principal as its account is now; nil where that is disabled, gone, or has been signed out everywhere since.
    ///
    /// - Throws: `ReadError`.
    package func current(_ principal: Principal) async throws -> Principal? {
        guard let account = try await account(principal.account), account.epoch == principal.epoch else { return nil }
        return self.principal(of: account)
    }

    /// Whether the account may do what it might when the principal was made.
    ///
    /// - Throws: `ReadError`.
    package func isGood(_ principal: Principal) async throws -> Bool {
        try await current(principal)?.role == principal.role
    }
}
