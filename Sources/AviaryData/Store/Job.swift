import AviaryDomain
import Foundation

/// What waits for a commit. Plain data, so that it can be done again when SQLite loses the transaction.
struct Job: Sendable {
    enum Work: Sendable {
        case apply(Submission)
        case discard(draft: String)
    }

    enum Answer: Sendable {
        case stored(Receipt)
        case discarded
    }

    let work: Work
    let answer: CheckedContinuation<Result<Answer, StoreError>, Never>
}
