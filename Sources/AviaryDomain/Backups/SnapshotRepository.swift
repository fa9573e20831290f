package import Foundation

/// A repository of snapshots, each of which is a file with one committed state of a whole store.
package protocol SnapshotRepository: Sendable {
    /// Writes a snapshot while the store continues to work. It never overwrites a file.
    ///
    /// - Parameters:
    ///   - destination: The destination of the snapshot.
    ///   - level: The compression level, from 1 (fastest) to 9 (smallest).
    ///   - includingSecrets: A Boolean value that indicates whether the snapshot contains the values of
    ///     ``AttributeOption/secret`` properties.
    ///   - includingHistory: A Boolean value that indicates whether the snapshot contains the history of changes. It
    ///     always contains receipts and discarded drafts.
    func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool, includingHistory: Bool
    ) async throws -> SnapshotSummary

    /// Reads the whole snapshot and checks everything that a restore relies on, without changing anything.
    func verify(_ path: String) async throws -> SnapshotSummary

    /// Restores the snapshot into a temporary store, and compares the result with what the snapshot claims to
    /// contain.
    ///
    /// The proof of a snapshot in the store's snapshot folder is stored.
    func prove(_ path: String) async throws -> SnapshotProof

    /// Verifies the snapshot and then replaces everything in the store with it, all or nothing.
    ///
    /// If the snapshot has no secrets, records that also exist in the store keep their secrets, and all others have
    /// none. A snapshot of an older program is migrated to the models of this one first.
    ///
    /// - Parameters:
    ///   - path: The path of the snapshot.
    ///   - isGood: A closure that returns whether the account still has its permission. It is called while writes are
    ///     held, so nothing revokes the permission between the answer and the restore.
    ///   - confirming: A closure that decides whether to continue. It is called when everything is ready and nothing
    ///     has changed yet.
    /// - Returns: The summary; nil when the restore was not confirmed.
    /// - Throws: ``AccountEndedError`` when `isGood` returns false.
    func restore(
        from path: String, isGood: @escaping @Sendable () async throws -> Bool,
        confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary?
}

extension SnapshotRepository {
    /// Writes a snapshot without secrets and without the history.
    package func create(at destination: SnapshotDestination, level: Int) async throws -> SnapshotSummary {
        try await create(at: destination, level: level, includingSecrets: false, includingHistory: false)
    }

    /// Restores for the person who runs the program, whose permission nobody revokes.
    package func restore(
        from path: String, confirming: @Sendable (RestorePlan) async throws -> Bool
    ) async throws -> RestoreSummary? {
        try await restore(from: path, isGood: { true }, confirming: confirming)
    }

    /// Restores the snapshot without asking for a confirmation.
    package func restore(from path: String) async throws -> RestoreSummary {
        guard let summary = try await restore(from: path, confirming: { _ in true }) else { throw CancellationError() }
        return summary
    }
}

package enum SnapshotDestination: Sendable, Hashable {
    /// A file with a generated name in the store's snapshot folder.
    case standard
    /// A file as for ``standard``, with a name that marks it as a scheduled backup.
    case scheduled
    case file(String)
    case standardOutput
}

/// The contents of a snapshot, in numbers.
package struct SnapshotSummary: Sendable, Hashable, Codable {
    /// The path of the file; nil for standard output.
    package let path: String?
    package let app: String
    package let createdAt: String
    package let commit: Int64
    package let records: Int
    /// The number of records, by model.
    package let counts: [String: Int]
    /// The number of links of all many-to-many relations.
    package let links: Int
    /// The hash of the uncompressed bytes, as in the snapshot's last line.
    package let sha256: String
    /// The accounts with roles that the program does not have, or no longer has, so that they allow nothing; nil
    /// when this was not checked.
    package var unknownRoles: [UnknownRole]?
    /// The reasons for which the snapshots of stores that a restore replaced are not complete yet; nil for none, or when
    /// this was not tried. The next backup or start tries again.
    package var unsaved: [String]?
    /// The counts of the log; nil for a snapshot of an older program, which contains no log.
    package let log: Log?

    /// The numbers of log entries in a snapshot.
    package struct Log: Sendable, Hashable, Codable {
        /// The number of entries of the history; nil when the snapshot does not contain the history.
        package let entries: Int?
        /// The number of change sets that the store recognizes when they are repeated.
        package let receipts: Int
        /// The number of discarded drafts.
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

/// The result of a restore.
package struct RestoreSummary: Sendable, Hashable {
    package let snapshot: SnapshotSummary
    /// The number of the store's commit that the restore made.
    package let commit: Int64
    /// The snapshot of the replaced store; nil when there was no store.
    package let replaced: SnapshotSummary?
    /// The names of older replaced stores that were removed.
    package let removed: [String]
    /// The reasons for which older replaced stores could not be removed. Each is a sentence with the name of the
    /// file.
    package let notRemoved: [String]
    /// The reason for which the last changes of the replaced store are not in its snapshot yet. The next restore, backup or
    /// start of the server writes them; nil if they are in it.
    package let unsaved: String?

    package init(
        snapshot: SnapshotSummary, commit: Int64, replaced: SnapshotSummary?, removed: [String] = [],
        notRemoved: [String] = [], unsaved: String? = nil
    ) {
        self.unsaved = unsaved
        self.removed = removed
        self.notRemoved = notRemoved
        self.snapshot = snapshot
        self.commit = commit
        self.replaced = replaced
    }
}

/// The part of a model's records that a snapshot contains.
package enum SnapshotContent: Sendable, Hashable {
    /// All values except secrets, which are included only on request.
    case withoutSecrets
    /// All values, including secrets, because the records are useless without them.
    case everything
    /// No records, because they only concern this server at this time. A restore leaves the model's records unchanged.
    case nothing
}

extension Schema {
    /// The models whose records snapshots contain.
    package var snapshotModels: [ModelSchema] { models.filter { $0.snapshotContent != .nothing } }

    /// The many-to-many relations whose links snapshots contain.
    package var snapshotLinks: [LinkRelation] {
        let names = Set(snapshotModels.map(\.name))
        return links.filter { names.contains($0.source.model) && names.contains($0.target.model) }
    }

    /// Indicates whether a snapshot leaves out secrets unless they are requested.
    package var withholdsSecrets: Bool {
        models.contains { $0.snapshotContent == .withoutSecrets && $0.properties.contains(where: \.isSecret) }
    }
}

/// A store that can replace its contents with those of another store file, as the last step of a restore.
package protocol StoreReplacing: Sendable {
    /// Replaces all contents with those of the finished store file in one step, and returns the number of the
    /// commit.
    ///
    /// The replaced store remains, with all that was acknowledged, as the store at the other path.
    ///
    /// - Parameter kept: The path of the replaced store. Its directory has a name of its own that ends with the holder's id.
    /// - Throws: ``StoreError``, also when the holder has not held writes without interruption. Nothing has changed
    ///   then.
    func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64

    /// Holds back writes until the contents are replaced or writes are released.
    ///
    /// When the method returns, accepted writes are on disk. Later writes wait for at most ten seconds, and no longer than
    /// the holder's connection to the store lasts.
    ///
    /// - Throws: ``StoreError`` while another holder holds writes, and for a holder whose hold has expired.
    func acquireWriteLease(for holder: UUID) async throws(StoreError)

    func releaseWriteLease(for holder: UUID) async throws(StoreError)
}
