/// The changes that a restore would make.
package struct RestorePlan: Sendable, Hashable, Codable {
    package struct Model: Sendable, Hashable, Codable {
        package let name: String
        /// The current number of records; nil when the store does not exist yet.
        package let now: Int?
        /// The number of records after the restore.
        package let then: Int

        package init(name: String, now: Int?, then: Int) {
            self.name = name
            self.now = now
            self.then = then
        }
    }

    package let snapshot: SnapshotSummary
    package let models: [Model]
    /// The steps that migrate the snapshot's records to the models of the program; empty when the models are the
    /// same.
    package let steps: [String]
    package let accounts: [AccountEffect]

    package init(snapshot: SnapshotSummary, models: [Model], steps: [String], accounts: [AccountEffect]) {
        self.snapshot = snapshot
        self.models = models
        self.steps = steps
        self.accounts = accounts
    }
}

/// The effect of a restore on an account, for the decision whether to restore.
package struct AccountEffect: Sendable, Hashable, Codable {
    package enum Kind: Sendable, Hashable, Codable {
        /// An account that does not exist now and that the restore adds.
        case added(role: String, isDisabled: Bool)
        /// An account that the snapshot does not contain.
        case removed
        /// An account that is enabled in the snapshot, was disabled since and stays disabled.
        case staysDisabled
        /// An account that is disabled in the snapshot.
        case disabled
        /// An account that has another name in the snapshot.
        case renamed(to: String)
        case role(from: String, to: String)
        /// An account with a role that the program does not have, or no longer has, so that it allows nothing.
        case unknownRole(String)
        /// An account whose password or second factor in the snapshot is older than the current one.
        case olderSignIn
    }

    /// The name of the account.
    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The description of the effect: `eve stays disabled`.
    package var words: String {
        switch kind {
        case .added(let role, let isDisabled):
            isDisabled
                ? localized("\(name) will be added again as \(role) (disabled)")
                : localized("\(name) will be added again as \(role)")
        case .removed: localized("\(name) will be removed: the backup doesn’t contain this account")
        case .staysDisabled: localized("\(name) stays disabled, although the account is enabled in the backup")
        case .disabled: localized("\(name) will be disabled")
        case .renamed(let other): localized("\(name) will be renamed to \(other)")
        case .unknownRole(let role):
            localized("\(name) will get the role \(role), which this program doesn’t have and which allows nothing")
        case .role(let from, let to): localized("\(name) will be \(to) instead of \(from)")
        case .olderSignIn: localized("\(name) will get the password and two-factor authentication from that time")
        }
    }
}

extension AccountEffect {
    /// Returns the effects of a restore on all accounts, sorted by name.
    ///
    /// - Parameters:
    ///   - now: The current accounts.
    ///   - then: The accounts of a snapshot. If there are none, the restore changes no account.
    ///   - roles: The names of the program's roles; nil when they are unknown.
    package static func all(now: [Account], then: [Account], roles: Set<String>? = nil) -> [AccountEffect] {
        guard !then.isEmpty else { return [] }
        let pairs = Account.pairs(restored: then, current: now)
        let kept = Set(pairs.compactMap(\.current?.id))
        let effects = pairs.flatMap { restored, current in
            current.map { Self.effects(of: restored, inPlaceOf: $0) }
                ?? [AccountEffect(restored.name, .added(role: restored.role, isDisabled: restored.isDisabled))]
        }
        let removed = now.filter { !kept.contains($0.id) }.map { AccountEffect($0.name, .removed) }
        let powerless = then.filter { roles?.contains($0.role) == false }.map {
            AccountEffect($0.name, .unknownRole($0.role))
        }
        return (effects + powerless + removed).sorted { $0.name < $1.name }
    }

    private static func effects(of restored: Account, inPlaceOf current: Account) -> [AccountEffect] {
        var kinds: [Kind] = []
        if current.isDisabled, !restored.isDisabled { kinds.append(.staysDisabled) }
        if restored.isDisabled, !current.isDisabled { kinds.append(.disabled) }
        if restored.name != current.name { kinds.append(.renamed(to: restored.name)) }
        if restored.role != current.role { kinds.append(.role(from: current.role, to: restored.role)) }
        if restored.passwordHash != current.passwordHash || restored.oneTimeSecret != current.oneTimeSecret {
            kinds.append(.olderSignIn)
        }
        return kinds.map { AccountEffect(current.name, $0) }
    }
}
