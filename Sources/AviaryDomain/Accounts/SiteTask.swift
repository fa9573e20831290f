/// A task in the admin that is not an action on records, and which a ``Role`` can allow.
public enum SiteTask: String, Sendable, Hashable, Codable, CaseIterable {
    /// Managing accounts: creating and disabling them, changing their roles, and signing others out. An account cannot give
    /// a role that allows more than its own, nor create a link for an account that has such a role.
    case accounts
    /// Making and restoring backups. This task gives access to all data: to read it and to replace it.
    case backups
    /// Reading what others did, and undoing it where the records permit it.
    case activity
}
