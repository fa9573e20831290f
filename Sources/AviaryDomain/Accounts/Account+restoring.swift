extension Account {
    /// The account as a snapshot has it, in place of what it is now. Nothing that was revoked since the snapshot may be
    /// good again: no session of an epoch that has passed, no one-time password or recovery code that was used, nobody
    /// who was shut out.
    package func restored(inPlaceOf current: Account) -> Account {
        var account = self
        account.isDisabled = isDisabled || current.isDisabled
        let isSame =
            name == current.name && role == current.role && passwordHash == current.passwordHash
            && oneTimeSecret == current.oneTimeSecret && account.isDisabled == current.isDisabled
        account.epoch = max(epoch, current.epoch) + (isSame ? 0 : 1)
        let left = Set(current.recoveryCodes)
        account.recoveryCodes = recoveryCodes.filter(left.contains)
        account.lastOneTimeStep = max(lastOneTimeStep, current.lastOneTimeStep)
        return account
    }

    /// Each account of a snapshot with the one that it takes the place of: the same one, else one of the same name,
    /// which may have been made anew.
    package static func pairs(restored: [Account], current: [Account]) -> [(restored: Account, current: Account?)] {
        let byID = Dictionary(current.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let byName = Dictionary(current.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return restored.map { account in (account, byID[account.id] ?? byName[account.name]) }
    }
}
