/// What somebody may do in the admin beside working with records.
public enum SiteTask: String, Sendable, Hashable, Codable, CaseIterable {
    /// Make accounts, change roles, disable, sign others out. Nobody gives a role that allows more than their own, nor makes a
    /// link to an account that has one.
    case accounts
    /// Make backups and restore them: whoever may do this can read and replace everything.
    case backups
    /// Read what others did, and take it back where the records permit it.
    case activity
}
