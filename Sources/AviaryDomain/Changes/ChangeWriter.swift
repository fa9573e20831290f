package import Foundation

/// A request to write, from a repository to the store.
package enum WriteRequest: Sendable {
    /// Stores the changes as one commit.
    case submit(ChangeSet)
    /// Undoes a commit by a commit of its own, unless something newer prevents it.
    case undo(Undo)
    /// Notes that the draft was discarded, so that a stale copy of it can never be saved.
    case discard(draft: UUID)
}

/// A receiver of write requests: the store itself, or a connection to it. A caller does not know which.
package protocol ChangeWriter: Sendable {
    /// Carries out the request, and returns once the result is on disk.
    ///
    /// - Returns: The receipt of the commit; nil for a draft that was discarded.
    /// - Throws: ``StoreError``.
    func write(_ request: WriteRequest) async throws(StoreError) -> Receipt?

    /// Indicates whether the writer may change the records of a model before it checks their rules. Rules must not be
    /// checked before then.
    func preparesRecords(of model: String) -> Bool
}

extension ChangeWriter {
    package func preparesRecords(of model: String) -> Bool { false }

    /// Stores the change set, and returns once it is on disk.
    ///
    /// - Throws: ``StoreError``.
    package func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        try await commit(.submit(changeSet))
    }

    /// Undoes a commit by a commit of its own, unless something newer prevents it.
    ///
    /// - Throws: ``StoreError``: `undoRefused` with the list of obstacles.
    package func undo(_ undo: Undo) async throws(StoreError) -> Receipt {
        try await commit(.undo(undo))
    }

    /// Notes that the draft was discarded. A repeated discard, or one after the draft was saved, changes nothing.
    ///
    /// - Throws: ``StoreError``.
    package func discard(draft id: UUID) async throws(StoreError) {
        _ = try await write(.discard(draft: id))
    }

    private func commit(_ request: WriteRequest) async throws(StoreError) -> Receipt {
        guard let receipt = try await write(request) else {
            throw .unavailable("it acknowledged the change without a receipt.")
        }
        return receipt
    }
}

/// A write request of a caller that does not wait in a task of its own.
package struct QueuedWrite: Sendable {
    package let request: WriteRequest
    /// The time after which the store does not begin the request.
    package let deadline: MonotonicTime?
    /// Called on any thread when the request waits for a large delete or undo, at most once and before the answer.
    package let postponed: @Sendable () -> Void
    /// Called once, on any thread, with the receipt; nil for a draft that was discarded.
    package let answer: @Sendable (Result<Receipt?, StoreError>) -> Void

    /// The time that a request may wait for a large delete or undo, whatever its deadline is.
    package static let longestPostponement: Duration = .seconds(600)

    package init(
        _ request: WriteRequest, before deadline: MonotonicTime?, postponed: @escaping @Sendable () -> Void = {},
        answer: @escaping @Sendable (Result<Receipt?, StoreError>) -> Void
    ) {
        self.request = request
        self.deadline = deadline
        self.postponed = postponed
        self.answer = answer
    }
}

extension StoreError {
    /// The deadline passed before the request was begun. Nothing was done.
    package static let expired = StoreError.unavailable("it did not come to this in time.")
    /// The request waited for a large delete or undo for too long. Nothing was done.
    package static let postponedTooLong = StoreError.unavailable(
        "a large delete or undo, which comes first, takes too long.")
}
