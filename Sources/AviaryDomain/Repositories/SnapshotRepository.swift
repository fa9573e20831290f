/// Snapshots of a store: one committed point of everything, as a file.
package protocol SnapshotRepository: Sendable {
    /// Writes a snapshot while the store goes on. Nothing is overwritten.
    ///
    /// - Parameters:
    ///   - level: Of compression, 1 (fastest) to 9 (smallest).
    ///   - includingSecrets: Whether values of ``AttributeOption/secret`` properties are in it.
    func create(
        at destination: SnapshotDestination, level: Int, includingSecrets: Bool
    ) async throws -> SnapshotSummary

    /// Reads the whole snapshot and checks everything that a restore relies on; changes nothing.
    func verify(_ path: String) async throws -> SnapshotSummary

    /// Verifies the snapshot and then puts it in place of everything that the store holds, all or nothing. Where the snapshot
    /// has no secrets, a record that the store has too keeps its own, and any other has none.
    func restore(from path: String) async throws -> RestoreSummary
}

extension SnapshotRepository {
    /// Without secrets.
    package func create(at destination: SnapshotDestination, level: Int) async throws -> SnapshotSummary {
        try await create(at: destination, level: level, includingSecrets: false)
    }
}

package enum SnapshotDestination: Sendable, Hashable {
    /// A name of its own among the store's snapshots.
    case standard
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

    package init(
        path: String?, app: String, createdAt: String, commit: Int64, records: Int, counts: [String: Int], links: Int = 0,
        sha256: String
    ) {
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

    package init(snapshot: SnapshotSummary, commit: Int64, replaced: SnapshotSummary?) {
        self.snapshot = snapshot
        self.commit = commit
        self.replaced = replaced
    }
}
