package import Foundation

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
