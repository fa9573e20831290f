package import AviaryDomain
package import Foundation

/// How the store fares, as it was found a moment ago.
package struct StoreHealth: Sendable {
    /// Nil when the store does not answer.
    package struct Store: Sendable {
        package let fileCheck: FileCheck
        /// Callers that wait for a commit.
        package let waiting: Int

        package init(fileCheck: FileCheck, waiting: Int) {
            self.fileCheck = fileCheck
            self.waiting = waiting
        }
    }

    package struct Backup: Sendable {
        package let name: String
        package let time: Date
        /// In bytes.
        package let size: Int

        package init(name: String, time: Date, size: Int) {
            self.name = name
            self.time = time
            self.size = size
        }
    }

    package let store: Store?
    /// Of the store's file with its log, in bytes.
    package let size: Int
    /// The newest in the data directory.
    package let lastBackup: Backup?

    package init(store: Store?, size: Int, lastBackup: Backup?) {
        self.store = store
        self.size = size
        self.lastBackup = lastBackup
    }

    /// Seconds for which it is kept.
    package static let lifetime = 5
}
