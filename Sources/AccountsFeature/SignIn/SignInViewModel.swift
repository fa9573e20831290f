package import AviaryDomain
package import Foundation

/// Signing in: by name and password, then by a one-time password where the account has a second factor.
///
/// What it says, and how long it takes to say it, is the same whether there is such an account or not.
package struct SignInViewModel: Sendable {
    /// As typed.
    package internal(set) var name = ""
    package internal(set) var errorMessage: String?
    /// Set while a one-time password is asked for.
    package internal(set) var ticket: String?
    /// Where to go on.
    package let next: LocalPath?

    let accounts: AccountRepository
    let passwords: any PasswordHashing
    let oneTimePasswords: any OneTimePasswords
    let tickets: any SignInTickets
    /// What attempts are counted by: text that names it, to the id under which it is stored.
    let attemptID: @Sendable (String) -> UUID
    let knownBrowser: KnownBrowser?

    package init(
        next: LocalPath?, accounts: AccountRepository, passwords: any PasswordHashing,
        oneTimePasswords: any OneTimePasswords, tickets: any SignInTickets,
        attemptID: @escaping @Sendable (String) -> UUID,
        knownBrowser: KnownBrowser? = nil
    ) {
        self.next = next
        self.accounts = accounts
        self.passwords = passwords
        self.oneTimePasswords = oneTimePasswords
        self.tickets = tickets
        self.attemptID = attemptID
        self.knownBrowser = knownBrowser
    }

    /// Looks at name and password.
    package mutating func signIn(name typed: String, password: String, visitor: Visitor, at now: Date) async
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
            // A hash is worked out in any case: the time must not tell whether there is an account.
            guard try await passwords.verify(password, against: account?.passwordHash), let account else {
                return try await failed(
                    localized("Name or password are not right."), known: found, visitor: visitor, at: now)
            }
            await renewHash(of: account, password: password)
            guard account.oneTimeSecret == nil else {
                // The password was right. Codes are counted by themselves, so that nobody who signs in uses up others' attempts.
                await forgive(keys)
                ticket = tickets.seal(
                    SignInTicket(
                        account: account.id.uuid, epoch: account.epoch,
                        expiresAt: now.addingTimeInterval(SignInTicket.lifetime)
                    ))
                return .needsCode
            }
            return try await begin(account, keys: keys, visitor: visitor, at: now)
        } catch {
            return explain(error)
        }
    }

    /// Asks for a one-time password of somebody who has just set the password by a link.
    package mutating func ask(for ticket: SignInTicket) {
        self.ticket = tickets.seal(ticket)
    }

    /// Looks at the one-time password, or a recovery code in its place.
    package mutating func confirm(code: String, ticket text: String, visitor: Visitor, at now: Date) async
        -> SignInOutcome
    {
        do {
            guard let given = tickets.open(text), given.expiresAt > now,
                let account = try await accounts.account(given.account), account.epoch == given.epoch,
                !account.isDisabled,
                let secret = account.oneTimeSecret
            else {
                errorMessage = localized("That took too long. Sign in again.")
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
                    localized("This code is not right, or was used already."), known: account, visitor: visitor, at: now
                )
            }
            let resealed = try oneTimePasswords.resealed(secret, of: account.id.uuid)
            return try await begin(
                account, consuming: use, resealed: resealed, keys: keys, visitor: visitor, at: now)
        } catch AccountError.linkSpent {
            errorMessage = localized("This code was used already. Wait for the next one.")
            return .refused
        } catch {
            return explain(error)
        }
    }

    /// The password is known to be right: only now can it be hashed as strongly as new ones are.
    private func renewHash(of account: Account, password: String) async {
        guard let old = account.passwordHash, passwords.needsRehash(old) else { return }
        do {
            try await accounts.renewHash(try await passwords.hash(password), inPlaceOf: old, of: account.id.uuid)
        } catch {
            // The old one is still good: it is tried again at the next sign-in.
        }
    }

    private mutating func begin(
        _ account: Account, consuming use: SecondFactorUse? = nil, resealed: String? = nil, keys: Keys,
        visitor: Visitor, at now: Date
    ) async throws -> SignInOutcome {
        guard let principal = accounts.principal(of: account) else { return .refused }
        var session = visitor.session(of: account, at: now)
        session.provenAt = now
        try await accounts.begin(
            session, of: account, consuming: use, resealed: resealed,
            replacing: visitor.old, at: now)
        await forgive(keys)
        return .signedIn(principal)
    }

    private func forgive(_ keys: Keys) async {
        // Whoever has just signed in must not be turned away because a count could not be taken back; it passes by itself.
        try? await accounts.forgive(account: keys.account, address: keys.address)
    }

    private mutating func failed(
        _ message: String, known account: Account?, visitor: Visitor, at now: Date
    ) async throws -> SignInOutcome {
        errorMessage = message
        // A name that is none may be a password that was typed into the wrong field.
        try await accounts.note(AuditEvent(.signInFailed, at: now, account: account?.name, address: visitor.address))
        return .refused
    }

    private mutating func throttled(_ seconds: Int) -> SignInOutcome {
        errorMessage = Words.tooManyAttempts(seconds)
        return .wait(seconds: seconds)
    }

    private mutating func explain(_ error: any Error) -> SignInOutcome {
        if case .busy(let seconds)? = error as? PasswordHashingError {
            errorMessage = localized("Many people sign in at this moment. Try again in a few seconds.")
            return .wait(seconds: seconds)
        }
        errorMessage = localized("Signing in does not work at the moment. Try again soon.")
        return .unavailable
    }
}

extension SignInViewModel {
    private func keys(for name: String, of part: String = "", _ visitor: Visitor) -> Keys {
        if let knownBrowser, knownBrowser.name == name {
            let browser = AccountRepository.AttemptKey(
                id: attemptID("\(part)browser \(knownBrowser.id)"), throttle: .account)
            return Keys(account: browser, address: nil)
        }
        return Keys(
            account: AccountRepository.AttemptKey(id: attemptID("account \(part)\(name)"), throttle: .account),
            address: AccountRepository.AttemptKey(id: attemptID("address " + visitor.network), throttle: .address)
        )
    }

    /// What one attempt is counted by.
    private struct Keys {
        /// Of all strangers together, or of the browser that is known.
        let account: AccountRepository.AttemptKey
        /// Nil of the browser that is known: whoever guesses behind the same address does not keep it waiting.
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

/// What became of an attempt to sign in.
package enum SignInOutcome: Sendable, Hashable {
    case signedIn(Principal)
    /// The password was right; a one-time one is asked for.
    case needsCode
    /// It was wrong, or may not be looked at yet: the view model's message says so.
    case refused
    /// It was not looked at: too many attempts, or too many at once. Try again after so many seconds.
    case wait(seconds: Int)
    /// The store does not answer.
    case unavailable
}

/// A browser in which somebody has signed in before.
///
/// Its attempts at this account are counted by themselves. So a stranger who guesses at the name all the time keeps others
/// waiting, and not its owner. It is good for nothing else.
package struct KnownBrowser: Sendable, Hashable, Codable {
    /// In seconds: as long as somebody may be away and still not be taken for a stranger.
    package static let lifetime: TimeInterval = 90 * 24 * 60 * 60

    /// Of the account.
    package let name: String
    /// What its attempts are counted by. Another one after each sign-in.
    package let id: UUID
    package let expiresAt: Date

    package init(name: String, id: UUID = UUID(), at now: Date) {
        self.name = name
        self.id = id
        expiresAt = now.addingTimeInterval(Self.lifetime)
    }
}
