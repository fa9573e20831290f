/// The storage of the backups that a server takes by itself, with their state.
package protocol BackupStorage: Sendable {
    /// Newest first.
    func files() -> [SnapshotFile]
    /// Removes a snapshot with what is remembered of it.
    func remove(_ name: String) throws
    /// Returns the state of the backups; nil when the server takes none by itself.
    func backupState() -> BackupState?
    /// - Parameter state: Nil when it takes none any more.
    func keep(_ state: BackupState?) throws
}
