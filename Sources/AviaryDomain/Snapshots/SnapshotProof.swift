package import Foundation

/// The result of restoring a snapshot into a temporary store: everything that the snapshot claims to contain was found.
package struct SnapshotProof: Sendable, Hashable, Codable {
    package let provenAt: Date
    package let snapshot: SnapshotSummary

    package init(provenAt: Date, snapshot: SnapshotSummary) {
        self.provenAt = provenAt
        self.snapshot = snapshot
    }
}
