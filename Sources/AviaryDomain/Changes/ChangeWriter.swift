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

/// Something for the store to write, of somebody who does not wait in a task of its own.
package struct WriteRequest: Sendable {
    package enum Work: Sendable {
        case submit(ChangeSet)
        case undo(Undo)
        case discard(draft: UUID)
    }

    package let work: Work
    /// The time after which the store does not begin the request.
    package let deadline: MonotonicTime?
    /// Called once, on any thread, with the receipt; nil for a draft that was discarded.
    package let answer: @Sendable (Result<Receipt?, StoreError>) -> Void

    package init(
        _ work: Work, before deadline: MonotonicTime?,
        answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) {
        self.work = work
        self.deadline = deadline
        self.answer = answer
    }
}

extension StoreError {
    /// The deadline passed before the request was begun. Nothing was done.
    package static let expired = StoreError.unavailable("it did not come to this in time.")
}
