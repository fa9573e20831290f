package import Foundation

extension AccountRepository {
    /// Makes an account.
    ///
    /// - Throws: ``AccountError``, `StoreError`, `ReadError`.
    package func add(_ account: Account, by author: String) async throws {
        guard roles.role(account.role) != nil else { throw AccountError.unknownRole(account.role) }
        do {
            _ = try await writer.submit(ChangeSet(author: author, changes: [.insert(account)]))
        } catch {
            guard case .notUnique = error else { throw error }
            throw AccountError.nameTaken(account.name)
        }
    }

    /// Sets the password, and ends all sessions; the acting one goes on under its new id.
    ///
    /// - Parameter event: What is noted in the same commit, where somebody else does it.
    package func setPassword(
        hash: String, of account: UUID, renewing session: SessionRenewal? = nil, noting event: AuditEvent? = nil,
        by author: String
    ) async throws {
        try await change(account, by: author, renewing: session, noting: event) { account in
            account.passwordHash = hash
            account.epoch += 1
        }
    }

    /// Changes what the account may do, and ends its sessions.
    ///
    /// - Throws: ``AccountError`` when nobody would be left who may change it back.
    package func setRole(_ role: String, of account: UUID, by author: String) async throws {
        guard roles.role(role) != nil else { throw AccountError.unknownRole(role) }
        try await change(account, by: author) { account in
            guard account.role != role else { return }
            account.role = role
            account.epoch += 1
        }
    }

    /// Disables the account and ends its sessions, or enables it again.
    ///
    /// - Throws: ``AccountError`` when nobody would be left who may change it back.
    package func setDisabled(_ isDisabled: Bool, of account: UUID, by author: String) async throws {
        try await change(account, by: author) { account in
            guard account.isDisabled != isDisabled else { return }
            account.isDisabled = isDisabled
            account.epoch += 1
        }
    }

    /// Signs the account out wherever it is signed in.
    package func endSessions(of account: UUID, by author: String) async throws {
        try await change(account, by: author) { $0.epoch += 1 }
    }

    /// Begins to ask for a second factor, and ends all sessions that began without it; the acting one goes on under its new id.
    package func setSecondFactor(
        _ sealed: String, step: Int, recoveryHashes: [String], of account: UUID,
        renewing session: SessionRenewal? = nil,
        by author: String
    ) async throws {
        try await change(account, by: author, renewing: session) { account in
            account.oneTimeSecret = sealed
            account.lastOneTimeStep = step
            account.recoveryCodes = recoveryHashes
        }
    }

    /// Stores recovery codes in place of those that there are, and ends all sessions; the acting one goes on under its new id.
    package func setRecoveryCodes(
        hashes: [String], of account: UUID, renewing session: SessionRenewal? = nil, by author: String
    ) async throws {
        try await change(account, by: author, renewing: session) { $0.recoveryCodes = hashes }
    }

    /// Asks for no second factor any more, and ends all sessions; the acting one goes on under its new id.
    ///
    /// - Parameter event: What is noted in the same commit, where somebody else does it.
    package func removeSecondFactor(
        of account: UUID, renewing session: SessionRenewal? = nil, noting event: AuditEvent? = nil, by author: String
    ) async throws {
        try await change(account, by: author, renewing: session, noting: event) { account in
            account.oneTimeSecret = nil
            account.lastOneTimeStep = 0
            account.recoveryCodes = []
            account.epoch += 1
        }
    }

    /// Changes the account as it is now. With a new epoch, or as somebody who is signed in, its sessions end in the same commit.
    /// The acting session goes on under another id, so that a copy of its cookie is worth nothing. It has to be good until
    /// then: a session that was ended meanwhile changes nothing.
    func change(
        _ id: UUID, by author: String, renewing renewal: SessionRenewal? = nil, noting event: AuditEvent? = nil,
        _ change: (inout Account) throws -> Void
    ) async throws {
        for _ in 0..<Self.mostAttempts {
            guard let record = try await accounts.records.find(id) else { throw AccountError.notFound }
            let before = try Account(record)
            var account = before
            try change(&account)
            let old = before.fieldValues
            let values = account.fieldValues.filter { old[$0.key] != $0.value }
            // What stays the same is no change, but a new token is one.
            guard !values.isEmpty || renewal != nil else { return }
            if let renewal, try await session(renewal.old)?.account.id.uuid != id { throw AccountError.signedOut }
            var changes = [Change.update(model: Account.modelName, id: id, version: record.version, values: values)]
            if isAdmin(before), !isAdmin(account) { changes.append(try await checkOfAnotherAdmin(besides: id)) }
            if account.epoch != before.epoch || renewal != nil {
                changes += try await endings(of: account, renewing: renewal)
            }
            if let event { changes.append(.insert(event)) }
            do {
                _ = try await writer.submit(ChangeSet(author: author, changes: changes))
                return
            } catch {
                guard error.isOvertaken else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    /// That somebody else may manage accounts, checked in the commit itself: two admins who disable each other at the same
    /// moment must not both succeed.
    private func checkOfAnotherAdmin(besides id: UUID) async throws -> Change {
        let everyone = try await accounts.records.fetch(FetchDescriptor<Account>().query()) { $0 }
        for record in everyone where record.id != id {
            guard isAdmin(try Account(record)) else { continue }
            return .update(model: Account.modelName, id: record.id, version: record.version, values: [:])
        }
        throw AccountError.lastAdmin
    }

    private func isAdmin(_ account: Account) -> Bool {
        !account.isDisabled && roles.role(account.role)?.allows(.accounts) == true
    }

    /// Ends the account's sessions, but for the acting one, which takes its new id.
    ///
    /// - Throws: ``AccountError/signedOut`` when the acting session has ended; ``ReadError``.
    func endings(of account: Account, renewing renewal: SessionRenewal?) async throws -> [Change] {
        let open = try await sessions.records.fetch(
            FetchDescriptor<AccountSession>(predicate: Self.isOf(account.id.uuid)).query()
        ) { $0 }
        var changes: [Change] = []
        if let renewal, !open.contains(where: { $0.id == renewal.old }) { throw AccountError.signedOut }
        if let renewal, let acting = open.first(where: { $0.id == renewal.old }) {
            // The version is what lets a session that was ended meanwhile change nothing. All deletes of a change set are
            // applied where the first of them is, so they follow.
            changes.append(
                .update(model: AccountSession.modelName, id: acting.id, version: acting.version, values: [:]))
            changes.append(.insert(try AccountSession(acting).renewed(as: renewal.new, epoch: account.epoch)))
        }
        return changes + open.map { .delete(model: AccountSession.modelName, id: $0.id) }
    }

    private static func isOf(_ account: UUID) -> Predicate<AccountSession> {
        #Predicate { $0.account == account }
    }

    static var mostAttempts: Int { 20 }
}
