package import Foundation

extension AccountRepository {
    /// A key by which attempts are counted: an account's name or an address.
    package struct AttemptKey: Sendable, Hashable {
        /// Made from it; it cannot be told from it.
        package let id: UUID
        package let throttle: SignInThrottle

        package init(id: UUID, throttle: SignInThrottle) {
            self.id = id
            self.throttle = throttle
        }
    }

    /// Counts an attempt as failed before it is looked at, so that many at once get no more tries than one after the
    /// other. ``forgive(account:address:)`` takes it back when it succeeds.
    ///
    /// - Returns: Seconds to wait; 0 when the attempt may be looked at, and is counted.
    package func count(_ keys: [AttemptKey], at now: Date) async throws -> Int {
        for _ in 0..<Self.mostTries {
            var changes: [Change] = []
            for key in keys {
                let record = try await attempts.records.find(key.id)
                let stored = try record.map(SignInAttempts.init)
                let wait = key.throttle.wait(after: stored, at: now)
                guard wait == 0 else { return wait }
                let counted = SignInAttempts(
                    id: RecordID(key.id), failures: key.throttle.failures(of: stored, at: now) + 1, lastFailureAt: now
                )
                changes.append(
                    record.map {
                        .update(
                            model: SignInAttempts.modelName, id: key.id, version: $0.version,
                            values: counted.fieldValues)
                    } ?? .insert(counted))
            }
            do {
                _ = try await writer.submit(ChangeSet(author: Self.author, changes: changes))
                return 0
            } catch {
                guard error.isOvertaken else { throw error }
            }
        }
        // As many others try this account or from this address at this moment.
        return 1
    }

    /// The attempt succeeded: the account's failures are forgotten, and of the address's the one that was counted for
    /// it. What else failed from there stays: one good password must not buy tries at others.
    package func forgive(account: AttemptKey, address: AttemptKey?) async throws {
        _ = try await writer.submit(
            ChangeSet(
                author: Self.author, changes: [.delete(model: SignInAttempts.modelName, id: account.id)]
            ))
        guard let address else { return }
        try await attempts.update(RecordID(address.id)) { $0.failures = max(0, $0.failures - 1) }
    }

    private static var mostTries: Int { 50 }
}
