package import AviaryDomain
package import Foundation

/// The view model of signing in: first the name and password, then a one-time password if the account has a second
/// factor.
///
/// Its messages and its response time do not depend on whether the account exists.
package struct SignInViewModel: Sendable {
    /// The name as typed.
    package internal(set) var name = ""
    package internal(set) var errorMessage: String?
    /// The sealed ticket while a one-time password is required.
    package internal(set) var ticket: String?
    /// The address to open after signing in.
    package let next: LocalPath?

    let accounts: AccountRepository
    let passwords: any PasswordHashing
    let oneTimePasswords: any OneTimePasswords
    let tickets: any SignInTickets
    /// A closure that maps the name of an attempt counter to the identifier under which it is stored.
    let attemptID: @Sendable (String) -> UUID
    let knownBrowser: RecognizedBrowser?

    package init(
        next: LocalPath?, accounts: AccountRepository, passwords: any PasswordHashing,
        oneTimePasswords: any OneTimePasswords, tickets: any SignInTickets,
        attemptID: @escaping @Sendable (String) -> UUID,
        knownBrowser: RecognizedBrowser? = nil
    ) {
        self.next = next
        self.accounts = accounts
        self.passwords = passwords
        self.oneTimePasswords = oneTimePasswords
        self.tickets = tickets
        self.attemptID = attemptID
        self.knownBrowser = knownBrowser
    }

    /// Verifies the name and password.
    package mutating func signIn(name typed: String, password: String, visitor: ClientInfo, at now: Date) async
        -> SignInOutcome
    {
        name = String(typed.prefix(AccountName.longest * 4))
        do {
            let name = AccountName(typed.trimmingCharacters(in: .whitespaces))
            let keys = keys(for: name?.text ?? self.name, visitor)
            let wait = try await accounts.count(keys.all, at: now)
            guard wait == 0 else { return throttled(wait) }
            let found = try await name.asyncMap { try await accounts.account(named: $0) } ?? nil
            let account = found.flatMap { $0.isDisabled ? nil : $0 }
            // A hash is always computed, so that the response time does not reveal whether the account exists.
            guard try await passwords.verify(password, against: account?.passwordHash), let account else {
                return try await failed(
                    localized("Wrong name or password."), known: found, visitor: visitor, at: now)
            }
            await renewHash(of: account, password: password)
            guard account.oneTimeSecret == nil else {
                // The password was correct. Codes have separate counters, so that a user who signs in does not use
                // up other users' attempts.
                await resetAttempts(keys)
                ticket = tickets.seal(
                    SignInTicket(
                        account: account.id.uuid, epoch: account.epoch,
                        expiresAt: now.addingTimeInterval(SignInTicket.lifetime)
                    ))
                return .needsCode
            }
            return try await begin(account, keys: keys, visitor: visitor, at: now)
        } catch {
            return addMessages(error)
        }
    }

    /// Requests a one-time password from a user who has just set the password with a link.
    package mutating func ask(for ticket: SignInTicket) {
        self.ticket = tickets.seal(ticket)
    }

    /// Verifies the one-time password, or a recovery code in its place.
    package mutating func confirm(code: String, ticket text: String, visitor: ClientInfo, at now: Date) async
        -> SignInOutcome
    {
        do {
            guard let given = tickets.open(text), given.expiresAt > now,
                let account = try await accounts.account(given.account), account.epoch == given.epoch,
                !account.isDisabled,
                let secret = account.oneTimeSecret
            else {
                errorMessage = localized("Signing in took too long. Sign in again.")
                return .refused
            }
            ticket = text
            name = account.name
            let keys = keys(for: account.name, of: "code of ", visitor)
            let wait = try await accounts.count(keys.all, at: now)
            guard wait == 0 else { return throttled(wait) }
            let use: SecondFactorUse
            if let step = oneTimePasswords.step(
                of: code, for: secret, of: account.id.uuid, after: account.lastOneTimeStep, at: now)
            {
                use = .step(step)
            } else if let hash = oneTimePasswords.recoveryHash(of: code, among: account.recoveryCodes) {
                use = .recoveryHash(hash)
            } else {
                return try await failed(
                    localized("This code is wrong or was already used."), known: account, visitor: visitor, at: now
                )
            }
            let resealed = try oneTimePasswords.resealed(secret, of: account.id.uuid)
            return try await begin(
                account, consuming: use, resealed: resealed, keys: keys, visitor: visitor, at: now)
        } catch AccountError.linkSpent {
            errorMessage = localized("This code was already used. Wait for the next one.")
            return .refused
        } catch {
            return addMessages(error)
        }
    }

    /// Rehashes a verified password with the current parameters. The plain password is available only now.
    private func renewHash(of account: Account, password: String) async {
        guard let old = account.passwordHash, passwords.needsRehash(old) else { return }
        do {
            try await accounts.renewHash(try await passwords.hash(password), inPlaceOf: old, of: account.id.uuid)
        } catch {
            // The old hash is still valid. The next sign-in tries again.
        }
    }

    private mutating func begin(
        _ account: Account, consuming use: SecondFactorUse? = nil, resealed: String? = nil, keys: Keys,
        visitor: ClientInfo, at now: Date
    ) async throws -> SignInOutcome {
        guard let principal = accounts.principal(of: account) else { return .refused }
        var session = visitor.session(of: account, at: now)
        session.provenAt = now
        try await accounts.begin(
            session, of: account, consuming: use, resealed: resealed,
            replacing: visitor.old, at: now)
        await resetAttempts(keys)
        return .signedIn(principal)
    }

    private func resetAttempts(_ keys: Keys) async {
        // A failure to reset the counters must not reject a user who has just signed in. The counters expire by
        // themselves.
        try? await accounts.resetAttempts(account: keys.account, address: keys.address)
    }

    private mutating func failed(
        _ message: String, known account: Account?, visitor: ClientInfo, at now: Date
    ) async throws -> SignInOutcome {
        errorMessage = message
        // An unknown name is not logged, because it may be a password that was typed into the wrong field.
        try await accounts.note(AuditEvent(.signInFailed, at: now, account: account?.name, address: visitor.address))
        return .refused
    }

    private mutating func throttled(_ seconds: Int) -> SignInOutcome {
        errorMessage = TextFormatter.tooManyAttempts(seconds)
        return .wait(seconds: seconds)
    }

    private mutating func addMessages(_ error: any Error) -> SignInOutcome {
        if case .busy(let seconds)? = error as? PasswordHashingError {
            errorMessage = localized("Too many people are signing in. Try again in a few seconds.")
            return .wait(seconds: seconds)
        }
        errorMessage = localized("Signing in isn’t possible right now. Try again in a moment.")
        return .unavailable
    }
}

extension SignInViewModel {
    private func keys(for name: String, of part: String = "", _ visitor: ClientInfo) -> Keys {
        if let knownBrowser, knownBrowser.name == name {
            let browser = AccountRepository.AttemptKey(
                id: attemptID("\(part)browser \(knownBrowser.id)"), throttle: .account)
            return Keys(account: browser, address: nil)
        }
        return Keys(
            account: AccountRepository.AttemptKey(id: attemptID("\(part)account \(name)"), throttle: .account),
            address: AccountRepository.AttemptKey(id: attemptID("address " + visitor.network), throttle: .address)
        )
    }

    /// The counters of one attempt.
    private struct Keys {
        /// The counter of the account: one for all unknown browsers together, or one for the known browser.
        let account: AccountRepository.AttemptKey
        /// The counter of the network; nil for a known browser, so that an attacker behind the same address cannot
        /// make it wait.
        let address: AccountRepository.AttemptKey?

        var all: [AccountRepository.AttemptKey] { [account, address].compactMap(\.self) }
    }
}

extension Optional {
    fileprivate func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        guard let self else { return nil }
        return try await transform(self)
    }
}

/// The outcome of a sign-in attempt.
package enum SignInOutcome: Sendable, Hashable {
    case signedIn(Principal)
    /// The password was correct. A one-time password is required.
    case needsCode
    /// The attempt failed. The view model's message gives the reason.
    case refused
    /// The attempt was rate limited and not processed: there were too many attempts, or too many at the same time.
    /// It can be retried after the given number of seconds.
    case wait(seconds: Int)
    /// The store does not respond.
    case unavailable
}

/// A browser in which a user has signed in before.
///
/// Its attempts at this account are counted separately, so a stranger who keeps guessing delays other browsers but
/// not the owner's. It grants nothing else.
package struct RecognizedBrowser: Sendable, Hashable, Codable {
    /// The lifetime in seconds: the longest absence after which a browser is still known.
    package static let lifetime: TimeInterval = 90 * 24 * 60 * 60

    /// The name of the account.
    package let name: String
    /// The identifier of the browser's attempt counter. Each sign-in generates a new one.
    package let id: UUID
    package let expiresAt: Date

    package init(name: String, id: UUID = UUID(), at now: Date) {
        self.name = name
        self.id = id
        expiresAt = now.addingTimeInterval(Self.lifetime)
    }
}
