package import Foundation

extension AccountRepository {
    /// Begins a session for somebody who has proven to be the account's owner.
    ///
    /// - Parameters:
    ///   - session: Its account and epoch are those that were proven: another epoch by now, and the session is worth nothing.
    ///   - consumed: What signing in used up: a step of one-time passwords, a recovery code.
    ///   - resealed: The secret of the second factor as the account keeps it from now on; nil where it stays.
    ///   - old: The session that the same browser was in, which ends.
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
            // Somebody was quicker with the same code.
            throw consumed != nil && error.isOvertaken ? AccountError.linkSpent : error
        }
    }

    /// Makes a link. Its holder chooses the account's password, or makes the first account.
    ///
    /// A link to the first account takes the place of those before it: only one leads there.
    ///
    /// - Parameters:
    ///   - id: Made from the link's secret.
    ///   - address: From where it was asked for; nil for a command.
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

    /// The link, if it is still good; with its account, where it has one.
    package func link(_ id: UUID, at now: Date) async throws -> (link: SignInLink, account: Account?)? {
        guard let link = try await links.find(RecordID(id)), link.expiresAt > now else { return nil }
        guard let owner = link.account else { return try await isEmpty() ? (link, nil) : nil }
        guard let account = try await account(owner), !account.isDisabled, account.epoch == link.epoch else {
            return nil
        }
        return (link, account)
    }

    /// Makes the first account: uses the link up and begins a session, in one commit.
    ///
    /// - Throws: ``AccountError/linkSpent`` when somebody was quicker; `StoreError`, ``ReadError``.
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

    /// Sets the password of the link's account: uses the link up and ends the account's sessions and its other links, in one
    /// commit. The second factor stays: an account that has none is signed in, of another a code is still to be asked for.
    ///
    /// - Parameters:
    ///   - account: As the link was found with it.
    ///   - visitor: Who has the link.
    /// - Returns: The account as it is now.
    /// - Throws: ``AccountError/linkSpent`` when somebody was quicker; `StoreError`, ``ReadError``.
    package func setPassword(
        hash: String, of account: Account, by link: SignInLink, for visitor: Visitor, at now: Date
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
            // The version is what lets only one of two succeed; to delete what is gone is no error.
            .update(model: SignInLink.modelName, id: record.id, version: record.version, values: [:]),
            .delete(model: SignInLink.modelName, id: record.id),
        ]
    }

    private func submit(_ changes: [Change], spendingLinkOf author: String) async throws {
        do {
            _ = try await writer.submit(ChangeSet(author: author, changes: changes))
        } catch {
            throw error.isOvertaken ? AccountError.linkSpent : error
        }
    }

}

/// What of the second factor was used to sign in: it is good once.
package enum SecondFactorUse: Sendable, Hashable {
    case step(Int)
    case recoveryHash(String)

    /// Nil when it was used before.
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
    /// The session with its account; nil when it was ended, or the account's epoch is another by now.
    package func session(_ id: UUID) async throws -> (session: AccountSession, account: Account)? {
        guard let session = try await sessions.find(RecordID(id)), let account = try await account(session.account),
            session.epoch == account.epoch, !account.isDisabled
        else { return nil }
        return (session, account)
    }

    /// Where somebody is signed in, the last seen first.
    package func sessions(of account: UUID) async throws -> [AccountSession] {
        var descriptor = FetchDescriptor<AccountSession>(
            predicate: #Predicate { $0.account == account }, sortBy: [SortDescriptor(\.lastSeenAt, order: .reverse)]
        )
        descriptor.fetchLimit = Self.mostSessions
        return try await sessions.fetch(descriptor)
    }

    /// Notes when and from where the session was last seen. Of two who note it at once one is enough.
    package func touch(_ session: AccountSession, at now: Date, address: String) async throws {
        try await sessions.update(session.id) { stored in
            stored.lastSeenAt = now
            stored.address = address
        }
    }

    /// Notes that the session's owner has just given the password.
    package func prove(_ session: UUID, at now: Date) async throws {
        try await sessions.update(RecordID(session)) { $0.provenAt = now }
    }

    /// Ends one session, as its owner.
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

    /// Ends every session of the principal's but the acting one, which goes on under its new id: a copy of its cookie is worth
    /// nothing. The epoch stays, so that what is half written in this browser is not lost.
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
                // The session was noted as seen meanwhile: it is read again.
                guard error.isOvertaken else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    /// More than any page shows. Those beyond it end with the epoch all the same.
    static var mostSessions: Int { 200 }
}

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
