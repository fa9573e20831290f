/// What became of a step of a batch.
package enum BatchOutcome: Sendable, Hashable {
    /// It went as far as the progress says.
    case went(BatchProgress)
    /// It stopped, and can go on from there: why, in words.
    case stopped(BatchProgress, reason: String)
}

/// What became of an action on some records.
package enum ActionOutcome: Sendable, Hashable {
    case done(message: String, commit: Int64?)
    case refused(reason: String, isTemporary: Bool)
}
