/// The changes that a restore would make.
package struct RestorePlan: Sendable, Hashable, Codable {
    package struct Model: Sendable, Hashable, Codable {
        package let name: String
        /// Records that there are; nil where there is no store yet.
        package let now: Int?
        /// Records that there would be.
        package let then: Int

        package init(name: String, now: Int?, then: Int) {
            self.name = name
            self.now = now
            self.then = then
        }
    }

    package let snapshot: SnapshotSummary
    package let models: [Model]
    /// The steps that bring the snapshot's records to the models of the program; empty when the models are the same.
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
        /// The restore adds the account, which does not exist now.
        case added(role: String, isDisabled: Bool)
        /// The snapshot does not have it.
        case removed
        /// The snapshot is of a time when it could sign in; it was disabled since and stays so.
        case staysDisabled
        /// The snapshot is of a time when it was disabled.
        case disabled
        /// The snapshot has another name for it.
        case renamed(to: String)
        case role(from: String, to: String)
        /// The program does not have it (any more), so it allows nothing.
        case unknownRole(String)
        /// An older password or second factor.
        case olderSignIn
    }

    /// The name of the account.
    package let name: String
    package let kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// `eve stays disabled`.
    package var words: String {
        switch kind {
        case .added(let role, let isDisabled):
            isDisabled
                ? localized("\(name) would be there again, as \(role), disabled")
                : localized("\(name) would be there again, as \(role)")
        case .removed: localized("\(name) would be gone: the snapshot does not have this account")
        case .staysDisabled: localized("\(name) stays disabled, though the snapshot has the account enabled")
        case .disabled: localized("\(name) would be disabled")
        case .renamed(let other): localized("\(name) would be called \(other)")
        case .unknownRole(let role):
            localized("\(name) would have the role \(role), which the program does not have: it allows nothing")
        case .role(let from, let to): localized("\(name) would be \(to) in place of \(from)")
        case .olderSignIn: localized("\(name) would have the password and second factor of that time again")
        }
    }
}

extension AccountEffect {
    /// - Parameters:
    ///   - now: Everybody who has an account.
    ///   - then: The accounts of a snapshot; none leave everybody as they are.
    ///   - roles: Names of those that the program has; nil where it is not known.
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
