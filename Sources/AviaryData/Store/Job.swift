import AviaryDomain
import Foundation

/// What waits for a commit. Plain data, so that it can be done again when SQLite loses the transaction.
struct Job: Sendable {
    enum Work: Sendable {
        case apply(Submission)
        case undo(Undo)
        case discard(draft: String)

        /// The number of its changes, as a measure of the work.
        var size: Int { if case .apply(let submission) = self { submission.size } else { 1 } }
    }

    enum Answer: Sendable {
        case stored(Receipt)
        case discarded
    }

    let work: Work
    let answer: CheckedContinuation<Result<Answer, StoreError>, Never>
}
