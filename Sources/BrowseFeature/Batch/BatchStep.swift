/// What became of a step of a batch.
package struct BatchStep: Sendable {
    package internal(set) var progress: BatchProgress
    /// What of the part is still to be done.
    package internal(set) var rest: BatchPart
    /// Why it stopped, in words. It can go on from there.
    package internal(set) var stoppedBecause: String?
    /// What an application's own code threw first, for the log.
    package internal(set) var cause: (any Error)?
}

/// What became of an action on some records.
package enum ActionOutcome: Sendable {
    case done(commit: Int64)
    case nothingToDo
    /// - Parameter cause: What an application's own code threw, for the log.
    case refused(reason: String, isTemporary: Bool, cause: (any Error)? = nil)
}
