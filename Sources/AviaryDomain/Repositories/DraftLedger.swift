package import Foundation

/// Tells what became of drafts, so that a stale cookie is recognised.
package protocol DraftLedger: Sendable {
    /// Returns the outcome of a draft; nil while the draft is open, and for one that was never known.
    func outcome(ofDraft id: UUID) async throws -> DraftOutcome?
    func discard(draft id: UUID) async throws(StoreError)
    /// Changes when the store is restored from a snapshot.
    func restoreEpoch() async throws -> String
}
