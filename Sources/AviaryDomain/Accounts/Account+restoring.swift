extension Account {
    /// The account as a snapshot has it, in place of what it is now. Nothing that was revoked since the snapshot may be good
    /// again: no session of an epoch that has passed, no one-time password that was used.
    package func restored(inPlaceOf current: Account) -> Account {
        var account = self
        let isSame = name == current.name && role == current.role && passwordHash == current.passwordHash
            && oneTimeSecret == current.oneTimeSecret && isDisabled == current.isDisabled
        account.epoch = max(epoch, current.epoch) + (isSame ? 0 : 1)
        account.lastOneTimeStep = max(lastOneTimeStep, current.lastOneTimeStep)
        return account
    }
}
