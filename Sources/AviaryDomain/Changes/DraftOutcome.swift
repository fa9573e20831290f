/// The outcome of a draft that is no longer open.
package enum DraftOutcome: Sendable, Hashable {
    case saved(commit: Int64)
    case discarded
}
