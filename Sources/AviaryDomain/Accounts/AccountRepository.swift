package import Foundation

/// A repository of accounts and their sessions, links, events and failed attempts.
///
/// Changes are ordinary change sets, so they are atomic, durable, and visible to every process when they return.
package struct AccountRepository: Sendable {
    let accounts: Repository<Account>
    let sessions: Repository<AccountSession>
    let links: Repository<SignInLink>
    let events: Repository<AuditEvent>
    let attempts: Repository<SignInAttempts>
    let writer: any ChangeWriter
    package let roles: Roles

    /// Creates a repository.
    ///
    /// - Parameters:
    ///   - records: A closure that returns the records of a model.
    ///   - writer: The writer of change sets.
    ///   - roles: The roles of the application.
    package init(
        records: (ModelSchema) throws -> any ModelRecords, writer: any ChangeWriter, roles: Roles
    ) rethrows {
        accounts = Repository(try records(Account.schema), author: Self.author)
        sessions = Repository(try records(AccountSession.schema), author: Self.author)
        links = Repository(try records(SignInLink.schema), author: Self.author)
        events = Repository(try records(AuditEvent.schema), author: Self.author)
        attempts = Repository(try records(SignInAttempts.schema), author: Self.author)
        self.writer = writer
        self.roles = roles
    }

    /// The author of the server's own changes.
    package static let author = "aviary"

    package func account(_ id: UUID) async throws -> Account? {
        try await accounts.find(RecordID(id))
    }

    package func account(named name: AccountName) async throws -> Account? {
        let text = name.text
        return try await accounts.fetch(FetchDescriptor(predicate: #Predicate { $0.name == text })).first
    }

    /// Returns all accounts, sorted by name.
    package func fetchAll() async throws -> [Account] {
        try await accounts.fetch(FetchDescriptor(sortBy: [SortDescriptor(\.name)]))
    }

    /// Returns at most the given number of accounts, sorted by name.
    package func fetchPage(after name: String?, size: Int) async throws -> (accounts: [Account], hasMore: Bool) {
        var descriptor = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)])
        if let name { descriptor.predicate = #Predicate { $0.name > name } }
        descriptor.fetchLimit = size + 1
        let found = try await accounts.fetch(descriptor)
        return (Array(found.prefix(size)), found.count > size)
    }

    package func count() async throws -> Int {
        try await accounts.fetchCount()
    }

    package func isEmpty() async throws -> Bool {
        try await accounts.fetchCount() == 0
    }

    /// Returns the account with its current permissions, or nil when it is disabled. A role that the program does not
    /// have, or no longer has, allows nothing.
    package func principal(of account: Account) -> Principal? {
        guard !account.isDisabled else { return nil }
        let role = roles.role(account.role) ?? Role(account.role)
        return Principal(
            account: account.id.uuid, name: account.name, role: role, epoch: account.epoch,
            lacksSecondFactor: role.requiresSecondFactor && account.oneTimeSecret == nil
        )
    }
}

extension AccountRepository {
    /// Creates an account.
    ///
    /// - Throws: ``AccountError``, `StoreError`, `ReadError`.
    package func add(_ account: Account, by author: String) async throws {
        guard roles.role(account.role) != nil else { throw AccountError.unknownRole(account.role) }
        do {
            _ = try await writer.submit(ChangeSet(author: author, changes: [.insert(account)]))
        } catch {
            guard error.code == .notUnique else { throw error }
            throw AccountError.nameTaken(account.name)
        }
    }

    /// Sets the password and ends all sessions. The acting session continues under its new id.
    ///
    /// - Parameters:
    ///   - hash: The hash of the new password.
    ///   - account: The account.
    ///   - session: The acting session; nil when the account does not make the change itself.
    ///   - event: An event to record in the same commit, when another account makes the change.
    ///   - author: The author of the change.
    package func setPassword(
        hash: String, of account: UUID, renewing session: SessionRenewal? = nil, noting event: AuditEvent? = nil,
        by author: String
    ) async throws {
        try await change(account, by: author, renewing: session, noting: event) { account in
            account.passwordHash = hash
            account.epoch += 1
        }
    }

    /// Changes the role of the account and ends its sessions.
    ///
    /// - Throws: ``AccountError`` when no account would be left that could reverse it.
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
    /// - Throws: ``AccountError`` when no account would be left that could reverse it.
    package func setDisabled(_ isDisabled: Bool, of account: UUID, by author: String) async throws {
        try await change(account, by: author) { account in
            guard account.isDisabled != isDisabled else { return }
            account.isDisabled = isDisabled
            account.epoch += 1
        }
    }

    /// Signs the account out everywhere.
    package func endSessions(of account: UUID, by author: String) async throws {
        try await change(account, by: author) { $0.epoch += 1 }
    }

    /// Enables the second factor and ends all sessions that began without it. The acting session continues under its
    /// new id.
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

    /// Replaces the recovery codes and ends all sessions. The acting session continues under its new id.
    package func setRecoveryCodes(
        hashes: [String], of account: UUID, renewing session: SessionRenewal? = nil, by author: String
    ) async throws {
        try await change(account, by: author, renewing: session) { $0.recoveryCodes = hashes }
    }

    /// Disables the second factor and ends all sessions. The acting session continues under its new id.
    ///
    /// - Parameters:
    ///   - account: The account.
    ///   - session: The acting session; nil when the account does not make the change itself.
    ///   - event: An event to record in the same commit, when another account makes the change.
    ///   - author: The author of the change.
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

    /// Changes the current state of the account, and retries when another change overtakes it.
    ///
    /// With a new epoch or an acting session, the account's sessions end in the same commit. The acting session
    /// continues under another id, so that a copy of its cookie becomes invalid. It must be valid until the commit:
    /// a session that has ended in the meantime changes nothing.
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
            // Without a changed value there is nothing to write, unless the session gets a new id.
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
                guard error.isWriteConflict else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    /// Returns a change that fails unless another account may manage accounts.
    ///
    /// The check is part of the commit, because two admins who disable each other at the same moment must not both
    /// succeed.
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

    /// Returns the changes that end the account's sessions. The acting session continues under its new id.
    ///
    /// - Throws: ``AccountError/signedOut`` when the acting session has ended; ``ReadError``.
    func endings(of account: Account, renewing renewal: SessionRenewal?) async throws -> [Change] {
        let open = try await sessions.records.fetch(
            FetchDescriptor<AccountSession>(predicate: Self.isOf(account.id.uuid)).query()
        ) { $0 }
        var changes: [Change] = []
        if let renewal, !open.contains(where: { $0.id == renewal.old }) { throw AccountError.signedOut }
        if let renewal, let acting = open.first(where: { $0.id == renewal.old }) {
            // The version makes the commit fail when the session has ended in the meantime. The store applies all
            // deletes of a change set at the position of the first, so the deletes follow.
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

extension AccountRepository {
    /// Stores another hash of the same password, unless the password has changed in the meantime. Sessions continue.
    package func renewHash(_ hash: String, inPlaceOf old: String, of account: UUID) async throws {
        try await change(account, by: Self.author) { account in
            if account.passwordHash == old { account.passwordHash = hash }
        }
    }

    /// Seals for its account each stored secret that an earlier version sealed without naming one, in one commit.
    ///
    /// Sessions continue, because the secrets themselves stay the same. Without such secrets, nothing is written.
    ///
    /// - Returns: The number of secrets that were sealed.
    @discardableResult
    package func resealSecrets(with factor: some OneTimePasswords) async throws -> Int {
        try await replaceSecrets(by: Self.author) { secret, account in try factor.resealed(secret, of: account) }
    }

    /// Replaces the sealed secrets of second factors in all accounts, and records the event in the same commit.
    ///
    /// Sessions continue, because the secrets themselves stay the same.
    ///
    /// - Parameters:
    ///   - event: The event to record. If it is nil and no secret is replaced, nothing is written.
    ///   - author: The author of the change.
    ///   - replacement: A closure that returns the new sealed text for a secret of an account; nil to keep the old
    ///     one.
    /// - Returns: The number of secrets that were replaced.
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
                // A concurrent sign-in with a second factor changed an account, so read all of them again.
                guard error.isWriteConflict else { throw error }
            }
        }
        throw StoreError.busy(retryAfter: 1)
    }

    private static var mostReplacements: Int { 20 }
}
