package import Foundation

/// What was found when a snapshot was restored into a store that was thrown away: all that it says is there.
package struct SnapshotProof: Sendable, Hashable, Codable {
    package let provenAt: Date
    package let snapshot: SnapshotSummary

    package init(provenAt: Date, snapshot: SnapshotSummary) {
        self.provenAt = provenAt
        self.snapshot = snapshot
    }
}
