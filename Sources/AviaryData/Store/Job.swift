import AviaryDomain
import Foundation

/// A request that waits for a commit. It is plain data, so that it can be repeated when SQLite loses the transaction.
struct Job: Sendable {
    enum Work: Sendable {
        case apply(Submission)
        case undo(Undo)
        case discard(draft: String)

        init(_ work: WriteRequest.Work, tables: ModelTables) {
            self =
                switch work {
                case .submit(let changeSet): .apply(Submission(changeSet, tables: tables))
                case .undo(let undo): .undo(undo)
                case .discard(let draft): .discard(draft: draft.canonicalText)
                }
        }

        /// The number of its changes, as a measure of the work.
        var size: Int { if case .apply(let submission) = self { submission.size } else { 1 } }
        /// About what it holds in memory while it waits.
        var bytes: Int { if case .apply(let submission) = self { submission.bytes } else { 100 } }
    }

    enum Answer: Sendable {
        case stored(Receipt)
        case discarded
    }

    let work: Work
    /// The time after which the store does not begin the job, also not again.
    let deadline: MonotonicTime?
    /// Called once.
    let answer: @Sendable (Result<Answer, StoreError>) -> Void

    var isExpired: Bool { deadline?.isPast ?? false }
}
