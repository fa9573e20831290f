/// What became of a wish to take something back.
package enum UndoOutcome: Sendable, Hashable {
    /// Done, by a commit of its own.
    case undone(commit: Int64, message: String)
    /// Nothing was changed: what stands against it.
    case refused([UndoObstacleText])
    /// Nothing is known to be changed, and it can be tried again.
    case unavailable(message: String, retryAfter: Int)
}

/// What stands against taking something back, in words, and where one can see it.
package struct UndoObstacleText: Sendable, Hashable {
    package let sentence: String
    package let href: String?

    package init(_ sentence: String, href: String? = nil) {
        self.sentence = sentence
        self.href = href
    }
}
