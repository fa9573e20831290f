package import AviaryDomain
package import Foundation

/// Where imports go: the records that are there, and the store.
package struct ImportTarget: Sendable {
    let lookUp: any RecordLookUp
    let store: @Sendable (ChangeSet) async throws -> Receipt
    let commit: @Sendable (UUID) async throws -> Int64?
    let restoreEpoch: @Sendable () async throws -> String
    let isGood: @Sendable (Principal) async throws -> Bool

    /// - Parameters:
    ///   - store: Stores a batch, whole or not at all.
    ///   - commit: Which commit stored the change set; nil when none did.
    ///   - restoreEpoch: Another when the store is restored.
    ///   - isGood: Whether the account may still do what it might when it began.
    package init(
        lookUp: any RecordLookUp, store: @escaping @Sendable (ChangeSet) async throws -> Receipt,
        commit: @escaping @Sendable (UUID) async throws -> Int64?,
        restoreEpoch: @escaping @Sendable () async throws -> String,
        isGood: @escaping @Sendable (Principal) async throws -> Bool
    ) {
        self.lookUp = lookUp
        self.store = store
        self.commit = commit
        self.restoreEpoch = restoreEpoch
        self.isGood = isGood
    }
}
