package import Foundation

extension AccountRepository {
    /// Begins a session for a person who has proven to be the owner of the account.
    ///
    /// - Parameters:
    ///   - session: The new session. It has the account and epoch that were proven. If the epoch has changed in the
    ///     meantime, the session is invalid.
    ///   - account: The account.
    ///   - consumed: The part of the second factor that the sign-in used: a time step or a recovery code.
    ///   - resealed: The newly sealed secret of the second factor, which replaces the stored one; nil to keep that.
    ///   - old: The former session of the same browser, which ends.
    ///   - now: The current time.
    /// - Throws: ``AccountError``, `StoreError`, ``ReadError``.
    package func begin(
        _ session: AccountSession, of account: Account, consuming consumed: SecondFactorUse? = nil,
        resealed: String? = nil, replacing old: UUID? = nil, at now: Date
    ) async throws {
        var changes: [Change] = [
            .insert(session), .insert(AuditEvent(.signIn, at: now, account: account.name, address: session.address)),
        ]
        if let old { changes.append(.delete(model: AccountSession.modelName, id: old)) }
        if let consumed {
            guard let record = try await accounts.records.find(account.id.uuid) else { throw AccountError.notFound }
            let stored = try Account(record)
            guard var used = consumed.applied(to: stored) else { throw AccountError.linkSpent }
            if let resealed, stored.oneTimeSecret == account.oneTimeSecret { used.oneTimeSecret = resealed }
            let old = stored.fieldValues
            changes.append(
                .update(
                    model: Account.modelName, id: record.id, version: record.version,
                    values: used.fieldValues.filter { old[$0.key] != $0.value }
                ))
        }
        do {
            _ = try await writer.submit(ChangeSet(author: account.name, changes: changes))
        } catch {
            // A concurrent sign-in used the same code first.
            throw consumed != nil && error.isWriteConflict ? AccountError.linkSpent : error
        }
    }

    /// Creates a link with which its holder chooses the password of an account, or creates the first account.
    ///
    /// A link for the first account replaces all earlier ones, so that only one such link is valid.
    ///
    /// - Parameters:
    ///   - id: The id, which is derived from the link's secret.
    ///   - account: The account; nil for the first account.
    ///   - expiresAt: The time at which the link expires.
    ///   - author: The name of the account or command that creates the link.
    ///   - address: The network address of the request; nil for a command.
    ///   - now: The current time.
    package func addLink(
        _ id: UUID, for account: UUID?, until expiresAt: Date, by author: String, from address: String? = nil,
        at now: Date = Date()
    ) async throws {
        var changes: [Change] = []
        var epoch = 0
        if let account {
            guard let owner = try await self.account(account) else { throw AccountError.notFound }
            epoch = owner.epoch
            changes.append(
                .insert(AuditEvent(.linkMade, at: now, account: author, address: address, subject: owner.name)))
        } else {
            changes = try await links.fetchIdentifiers(FetchDescriptor(predicate: #Predicate { $0.account == nil }))
                .map { .delete(model: SignInLink.modelName, id: $0.uuid) }
        }
        changes.append(
            .insert(
                SignInLink(id: RecordID(id), account: account, epoch: epoch, expiresAt: expiresAt, maker: author)))
        _ = try await writer.submit(ChangeSet(author: author, changes: changes))
    }

    /// Returns the link with its account, if it has one; nil when the link is no longer valid.
    package func link(_ id: UUID, at now: Date) async throws -> (link: SignInLink, account: Account?)? {
        guard let link = try await links.find(RecordID(id)), link.expiresAt > now else { return nil }
        guard let owner = link.account else { return try await isEmpty() ? (link, nil) : nil }
        guard let account = try await account(owner), !account.isDisabled, account.epoch == link.epoch else {
            return nil
        }
        return (link, account)
    }

    /// Creates the first account, spends the link and begins a session, in one commit.
    ///
    /// - Throws: ``AccountError/linkSpent`` when a concurrent request used the link first; `StoreError`,
    ///   ``ReadError``.
    package func addFirst(
        _ account: Account, by link: SignInLink, beginning session: AccountSession, replacing old: UUID? = nil,
        at now: Date
    ) async throws {
        var session = session
        session.provenAt = now
        var changes = try await spending(link)
        if let old { changes.append(.delete(model: AccountSession.modelName, id: old)) }
        changes += [
            .insert(account), .insert(session),
            .insert(AuditEvent(.signIn, at: now, account: account.name, address: session.address)),
        ]
        try await submit(changes, spendingLinkOf: account.name)
    }

    /// Sets the password of the link's account.
    ///
    /// The same commit spends the link and ends the account's sessions and its other links. The second factor stays.
    /// An account without one is signed in; otherwise the caller still has to ask for a code.
    ///
    /// - Parameters:
    ///   - hash: The hash of the new password.
    ///   - account: The account that ``link(_:at:)`` returned.
    ///   - link: The link.
    ///   - visitor: The client that uses the link.
    ///   - now: The current time.
    /// - Returns: The account after the change.
    /// - Throws: ``AccountError/linkSpent`` when a concurrent request used the link first; `StoreError`,
    ///   ``ReadError``.
    package func setPassword(
        hash: String, of account: Account, by link: SignInLink, for visitor: ClientInfo, at now: Date
    ) async throws -> Account {
        guard let record = try await accounts.records.find(account.id.uuid) else { throw AccountError.linkSpent }
        let before = try Account(record)
        guard before.epoch == link.epoch, !before.isDisabled else { throw AccountError.linkSpent }
        var after = before
        after.passwordHash = hash
        after.epoch += 1
        let old = before.fieldValues
        var changes = try await spending(link)
        changes.append(
            .update(
                model: Account.modelName, id: record.id, version: record.version,
                values: after.fieldValues.filter { old[$0.key] != $0.value }))
        changes += try await endings(of: after, renewing: nil)
        changes.append(
            .insert(
                AuditEvent(
                    before.passwordHash == nil ? .linkUsed : .passwordSetByLink, at: now, account: link.maker,
                    address: visitor.address, subject: before.name)))
        if after.oneTimeSecret == nil {
            var session = visitor.session(of: after, at: now)
            (session.beganByLink, session.provenAt) = (true, now)
            if let replaced = visitor.old { changes.append(.delete(model: AccountSession.modelName, id: replaced)) }
            changes += [
                .insert(session),
                .insert(AuditEvent(.signIn, at: now, account: after.name, address: visitor.address)),
            ]
        }
        try await submit(changes, spendingLinkOf: after.name)
        return after
    }

    private func spending(_ link: SignInLink) async throws -> [Change] {
        guard let record = try await links.records.find(link.id.uuid) else { throw AccountError.linkSpent }
        return [
            // The version makes only one of two concurrent requests succeed: deleting a missing record is not an
            // error.
            .update(model: SignInLink.modelName, id: record.id, version: record.version, values: [:]),
            .delete(model: SignInLink.modelName, id: record.id),
        ]
    }

    private func submit(_ changes: [Change], spendingLinkOf author: String) async throws {
        do {
            _ = try await writer.submit(ChangeSet(author: author, changes: changes))
        } catch {
            throw error.isWriteConflict ? AccountError.linkSpent : error
        }
    }

}

/// The part of the second factor that a sign-in used. Each part is valid once.
package enum SecondFactorUse: Sendable, Hashable {
    case step(Int)
    case recoveryHash(String)

    /// Returns the account after the use; nil when this part was used before.
    func applied(to account: Account) -> Account? {
        var account = account
        switch self {
        case .step(let step):
            guard step > account.lastOneTimeStep else { return nil }
            account.lastOneTimeStep = step
        case .recoveryHash(let hash):
            guard let index = account.recoveryCodes.firstIndex(of: hash) else { return nil }
            account.recoveryCodes.remove(at: index)
        }
        return account
    }
}

extension AccountRepository {
    /// Returns the session with its account; nil when the session has ended or the account's epoch has changed.
    package func session(_ id: UUID) async throws -> (session: AccountSession, account: Account)? {
        guard let session = try await sessions.find(RecordID(id)), let account = try await account(session.account),
            session.epoch == account.epoch, !account.isDisabled
        else { return nil }
        return (session, account)
    }

    /// Returns the sessions of an account, the most recently seen first.
    package func sessions(of account: UUID) async throws -> [AccountSession] {
        var descriptor = FetchDescriptor<AccountSession>(
            predicate: #Predicate { $0.account == account }, sortBy: [SortDescriptor(\.lastSeenAt, order: .reverse)]
        )
        descriptor.fetchLimit = Self.mostSessions
        return try await sessions.fetch(descriptor)
    }

    /// Stores the time and address at which the session was last seen. If two requests do this at the same moment,
    /// either result is good.
    package func touch(_ session: AccountSession, at now: Date, address: String) async throws {
        try await sessions.update(session.id) { stored in
            stored.lastSeenAt = now
            stored.address = address
        }
    }

    /// Stores the time at which the owner of the session entered the password.
    package func prove(_ session: UUID, at now: Date) async throws {
        try await sessions.update(RecordID(session)) { $0.provenAt = now }
    }

    /// Ends a session on behalf of its owner.
    ///
    /// - Throws: `StoreError`.
    package func end(_ session: UUID, of principal: Principal, at now: Date, address: String?) async throws(StoreError)
    {
        let event = AuditEvent(.signOut, at: now, account: principal.name, address: address)
        _ = try await writer.submit(
            ChangeSet(
                author: principal.name,
                changes: [
                    .delete(model: AccountSession.modelName, id: session), .insert(event),
                ]))
    }

    /// Ends all sessions of the principal except the acting one.
    ///
    /// The acting session continues under a new id, so that a copy of its cookie becomes invalid. The epoch stays
    /// the same, so that drafts in this browser are kept.
    ///
    /// - Throws: ``AccountError/signedOut`` when the acting session has ended; `StoreError`, ``ReadError``.
    package func endOthers(
        of principal: Principal, renewing session: SessionRenewal, at now: Date, address: String?
    ) async throws {
        for _ in 0..<Self.mostAttempts {
            guard let (_, account) = try await self.session(session.old), account.id.uuid == principal.account else {
                throw AccountError.signedOut
            }
            let event = AuditEvent(.signOut, at: now, account: principal.name, address: address)
            let changes = try await endings(of: account, renewing: session)
            do {
                _ = try await writer.submit(
                    ChangeSet(author: principal.name, changes: changes + [.insert(event)]))
                return
            } catch {
                // The last-seen time of the session changed in the meantime, so read it again.
                guard error.isWriteConflict else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    /// The largest number of sessions to read, which is more than any page shows. A new epoch also ends those beyond
    /// it.
    static var mostSessions: Int { 200 }
}

extension AccountRepository {
    /// The subject of a rate limit for sign-ins: an account name or an address.
    package struct AttemptKey: Sendable, Hashable {
        /// The hash of the name or address, from which the original cannot be derived.
        package let id: UUID
        package let throttle: SignInThrottle

        package init(id: UUID, throttle: SignInThrottle) {
            self.id = id
            self.throttle = throttle
        }
    }

    /// Counts an attempt as failed before it is checked, so that concurrent attempts get no more tries than
    /// sequential ones.
    ///
    /// ``resetAttempts(account:address:)`` reverses this when the attempt succeeds.
    ///
    /// - Parameters:
    ///   - keys: The account name and the address of the attempt.
    ///   - now: The current time.
    /// - Returns: The time to wait in seconds; 0 when the attempt is counted and may be checked.
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
                guard error.isWriteConflict else { throw error }
            }
        }
        // Each try conflicted with a concurrent attempt for this account or from this address.
        return 1
    }

    /// Forgets the failures of an account after a successful attempt, and the one failure of the address that was
    /// counted for it.
    ///
    /// The other failures of the address stay. Otherwise an attacker with one valid password could use it to gain
    /// tries at others.
    package func resetAttempts(account: AttemptKey, address: AttemptKey?) async throws {
        _ = try await writer.submit(
            ChangeSet(
                author: Self.author, changes: [.delete(model: SignInAttempts.modelName, id: account.id)]
            ))
        guard let address else { return }
        try await attempts.update(RecordID(address.id)) { $0.failures = max(0, $0.failures - 1) }
    }

    private static var mostTries: Int { 50 }
}
