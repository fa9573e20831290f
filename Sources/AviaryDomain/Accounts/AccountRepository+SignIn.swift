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
