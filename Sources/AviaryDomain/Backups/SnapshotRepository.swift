package import Foundation

/// Snapshots of a store: one committed point of everything, as a file.
package protocol SnapshotRepository: Sendable {
    /// Writes a snapshot while the store goes on. Nothing is overwritten.
    ///
    /// - Parameters:
    ///   - level: Of compression, 1 (fastest) to 9 (smallest).
    ///   - includingSecrets: Whether values of ``AttributeOption/secret`` properties are in it.
    ///   - includingHistory: Whether the history of changes is in it. Receipts and discarded drafts always are.
    func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool, includingHistory: Bool
    ) async throws -> SnapshotSummary

    /// Reads the whole snapshot and checks everything that a restore relies on; changes nothing.
    func verify(_ path: String) async throws -> SnapshotSummary

    /// Restores the snapshot into a store that is thrown away, and compares what is in that with what the snapshot says. Of one
    /// among the store's snapshots it is remembered.
    func prove(_ path: String) async throws -> SnapshotProof

    /// Verifies the snapshot and then puts it in place of everything that the store holds, all or nothing. Where the snapshot
    /// has no secrets, a record that the store has too keeps its own, and any other has none. One of an older program is
    /// brought to the models of this one first.
    ///
    /// - Parameters:
    ///   - isGood: A closure that returns whether the account may still restore. The repository calls it while it holds
    ///     writes, so nothing revokes the permission between the answer and the restore.
    ///   - confirming: A closure that confirms the restore when everything is ready and nothing has changed yet.
    /// - Returns: The summary of the restore; nil when it was not confirmed.
    /// - Throws: ``AccountEnded`` when `isGood` returns false.
    func restore(
        from path: String, isGood: @escaping @Sendable () async throws -> Bool,
        confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary?
}

extension SnapshotRepository {
    /// Without secrets and without the history.
    package func create(at destination: SnapshotDestination, level: Int) async throws -> SnapshotSummary {
        try await create(at: destination, level: level, includingSecrets: false, includingHistory: false)
    }

    /// Restores for the person who runs the program, whose permission nobody revokes.
    package func restore(
        from path: String, confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary? {
        try await restore(from: path, isGood: { true }, confirming: confirming)
    }

    /// Restores without a question.
    package func restore(from path: String) async throws -> RestoreSummary {
        guard let summary = try await restore(from: path, confirming: { _ in true }) else { throw CancellationError() }
        return summary
    }
}

package enum SnapshotDestination: Sendable, Hashable {
    /// A name of its own among the store's snapshots.
    case standard
    /// As ``standard``, with a name that tells that the server made it by itself.
    case scheduled
    case file(String)
    case standardOutput
}

/// What a snapshot holds.
package struct SnapshotSummary: Sendable, Hashable, Codable {
    /// Nil when it went to standard output.
    package let path: String?
    package let app: String
    package let createdAt: String
    package let commit: Int64
    package let records: Int
    /// Records by model.
    package let counts: [String: Int]
    /// Of many-to-many relations, all together.
    package let links: Int
    /// Over the uncompressed bytes, as in the snapshot's last line.
    package let sha256: String
    /// Accounts with roles that the program does not have (any more), so they allow nothing; nil where nobody looked.
    package var unknownRoles: [UnknownRole]?
    /// Nil for a snapshot of an older program, which has none of it.
    package let log: Log?

    /// Counts of what a snapshot tells of the past.
    package struct Log: Sendable, Hashable, Codable {
        /// Entries of the history; nil when the history is not in the snapshot.
        package let entries: Int?
        /// Change sets that the store recognises when they come once more.
        package let receipts: Int
        /// Drafts that were discarded.
        package let discards: Int

        package init(entries: Int?, receipts: Int, discards: Int) {
            self.entries = entries
            self.receipts = receipts
            self.discards = discards
        }
    }

    package struct UnknownRole: Sendable, Hashable, Codable {
        package let account: String
        package let role: String

        package init(account: String, role: String) {
            self.account = account
            self.role = role
        }
    }

    package init(
        path: String?, app: String, createdAt: String, commit: Int64, records: Int, counts: [String: Int],
        links: Int = 0, log: Log? = nil,
        sha256: String
    ) {
        self.log = log
        self.path = path
        self.app = app
        self.createdAt = createdAt
        self.commit = commit
        self.records = records
        self.counts = counts
        self.links = links
        self.sha256 = sha256
    }
}

/// What a restore did.
package struct RestoreSummary: Sendable, Hashable {
    package let snapshot: SnapshotSummary
    /// The store's commit number after it.
    package let commit: Int64
    /// A snapshot of what was replaced; nil when there was no store.
    package let replaced: SnapshotSummary?
    /// Names of older ones that were removed.
    package let removed: [String]
    /// Why others are still there that were to go, a sentence each, with its file.
    package let notRemoved: [String]

    package init(
        snapshot: SnapshotSummary, commit: Int64, replaced: SnapshotSummary?, removed: [String] = [],
        notRemoved: [String] = []
    ) {
        self.removed = removed
        self.notRemoved = notRemoved
        self.snapshot = snapshot
        self.commit = commit
        self.replaced = replaced
    }
}

/// The part of a model's records that a snapshot contains.
package enum SnapshotContent: Sendable, Hashable {
    /// All values but secrets, which are there only when they are asked for.
    case withoutSecrets
    /// All values: the records are worth nothing without their secrets.
    case everything
    /// No records, because they only concern this server at this time. A restore leaves the model's records unchanged.
    case nothing
}

extension Schema {
    /// The models of which snapshots hold records.
    package var snapshotModels: [ModelSchema] { models.filter { $0.snapshotContent != .nothing } }

    /// The many-to-many relations of which snapshots hold links.
    package var snapshotLinks: [LinkRelation] {
        let names = Set(snapshotModels.map(\.name))
        return links.filter { names.contains($0.source.model) && names.contains($0.target.model) }
    }

    /// A Boolean value that indicates whether a snapshot leaves out secrets unless they are requested.
    package var withholdsSecrets: Bool {
        models.contains { $0.snapshotContent == .withoutSecrets && $0.properties.contains(where: \.isSecret) }
    }
}

/// A store that can take another store's contents in place of its own, as the last step of a restore.
package protocol StoreReplacing: Sendable {
    /// Replaces everything by what the finished store file holds, in one step, and returns the commit's number.
    ///
    /// - Throws: ``StoreError``, also where the holder has not held writes all the while; then everything is as before.
    func replaceContents(withStoreAt path: String, holder: UUID) async throws(StoreError) -> Int64

    /// Holds back writes until the contents are replaced or writes are released.
    ///
    /// When the method returns, accepted writes are on disk. Later writes wait, for ten seconds at most: the same
    /// holder repeats the call before they are over. All calls of a holder together hold writes for five minutes at
    /// most, and no longer than its connection to the store lasts.
    ///
    /// - Throws: ``StoreError`` while another holder holds writes, and for a holder whose hold has expired.
    func holdWrites(for holder: UUID) async throws(StoreError)

    func releaseWrites(for holder: UUID) async throws(StoreError)
}
