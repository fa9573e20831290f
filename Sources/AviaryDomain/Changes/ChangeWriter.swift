package import Foundation

/// A receiver of change sets: the store itself, or a connection to it. A caller does not know which.
package protocol ChangeWriter: Sendable {
    /// Returns once the change set is on disk.
    ///
    /// - Throws: ``StoreError``.
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt

    /// Notes that the draft was discarded, so that a stale copy of it can never be saved. Doing it again, or after
    /// the draft was saved, changes nothing.
    func discard(draft id: UUID) async throws(StoreError)

    /// Undoes a commit by a commit of its own, unless something newer prevents it.
    ///
    /// - Throws: ``StoreError``: `undoRefused` with the list of obstacles.
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt
}
