package import Foundation

/// Tells what became of drafts, so that a stale cookie is recognised.
package protocol DraftLedger: Sendable {
    /// Nil while the draft is open (or was never known).
    func outcome(ofDraft id: UUID) async throws -> DraftOutcome?
    func discard(draft id: UUID) async throws(StoreError)
}
