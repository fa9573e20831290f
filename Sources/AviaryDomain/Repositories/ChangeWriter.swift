package import Foundation

/// Takes change sets: the store itself, or a connection to it. A caller does not know which.
package protocol ChangeWriter: Sendable {
    /// Returns once the change set is on disk.
    ///
    /// - Throws: ``StoreError``.
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt

    /// Notes that the draft was discarded, so that a stale copy of it can never be saved. Doing it again, or after
    /// the draft was saved, changes nothing.
    func discard(draft id: UUID) async throws(StoreError)

    /// Takes a commit back by a commit of its own, if nothing newer stands against it.
    ///
    /// - Throws: ``StoreError``, `undoRefused` with the list of what does.
    func undo(_ undo: Undo) async throws(StoreError) -> Receipt
}
