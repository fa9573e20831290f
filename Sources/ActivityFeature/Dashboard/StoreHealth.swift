package import AviaryDomain

/// How the store fares, as it was found a moment ago.
package struct StoreHealth: Sendable {
    /// What the store says of itself.
    package struct Store: Sendable {
        package let fileCheck: FileCheck
        /// Callers that wait for a commit.
        package let waiting: Int

        package init(fileCheck: FileCheck, waiting: Int) {
            self.fileCheck = fileCheck
            self.waiting = waiting
        }
    }

    /// Nil when the store does not answer.
    package let store: Store?
    /// Of the store's file with its log, in bytes.
    package let size: Int
    /// The newest in the data directory.
    package let lastBackup: SnapshotFile?
    /// What somebody should look after, where the server takes backups by itself; nil when all is well.
    package let backupWarning: String?

    /// Nil where the server makes no data checks by itself.
    package let dataCheck: DataCheckState?

    package init(
        store: Store?, size: Int, lastBackup: SnapshotFile?, backupWarning: String? = nil,
        dataCheck: DataCheckState? = nil
    ) {
        self.dataCheck = dataCheck
        self.store = store
        self.size = size
        self.lastBackup = lastBackup
        self.backupWarning = backupWarning
    }

    /// Seconds for which it is kept.
    package static let lifetime = 5
}
