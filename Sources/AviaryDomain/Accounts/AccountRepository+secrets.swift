package import Foundation

extension AccountRepository {
    /// Stores another hash of the same password. Sessions go on; where the password was changed meanwhile, nothing happens.
    package func renewHash(_ hash: String, inPlaceOf old: String, of account: UUID) async throws {
        try await change(account, by: Self.author) { account in
            if account.passwordHash == old { account.passwordHash = hash }
        }
    }

    /// Seals every stored secret of an earlier version for its account, all in one commit. Sessions go on: the secrets
    /// themselves are the same. Where there is none of those, nothing is written.
    ///
    /// - Returns: How many were sealed.
    @discardableResult
    package func resealSecrets(with factor: some OneTimePasswords) async throws -> Int {
        try await replaceSecrets(by: Self.author) { secret, account in try factor.resealed(secret, of: account) }
    }

    /// Puts other texts in the place of the sealed secrets of second factors, in all accounts at once, and notes the event in the
    /// same commit. Sessions go on: the secrets themselves are the same.
    ///
    /// - Parameters:
    ///   - event: Nil where nothing is to be noted; without a replaced secret nothing is written then.
    ///   - replacement: Gives the new text for a secret of an account; nil where the old one stays.
    /// - Returns: How many were replaced.
    package func replaceSecrets(
        noting event: AuditEvent? = nil, by author: String, _ replacement: (String, UUID) throws -> String?
    ) async throws -> Int {
        for _ in 0..<Self.mostReplacements {
            var changes: [Change] = []
            for record in try await accounts.records.fetch(FetchDescriptor<Account>().query(), { $0 }) {
                guard let secret = try Account(record).oneTimeSecret, let other = try replacement(secret, record.id)
                else { continue }
                changes.append(
                    .update(
                        model: Account.modelName, id: record.id, version: record.version,
                        values: ["oneTimeSecret": .text(other)]
                    ))
            }
            let events = event.map { [Change.insert($0)] } ?? []
            guard !(changes + events).isEmpty else { return 0 }
            do {
                _ = try await writer.submit(ChangeSet(author: author, changes: changes + events))
                return changes.count
            } catch {
                // Somebody signed in by a second factor meanwhile: all is read again.
                guard error.isOvertaken else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    private static var mostReplacements: Int { 20 }
}
