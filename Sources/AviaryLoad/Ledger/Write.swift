/// A change of one record that a browser asks for.
struct Write: Sendable, Hashable {
    enum Change: Sendable, Hashable {
        case add(title: String)
        case edit(title: String)
        case delete
        /// A draft that is cancelled: whatever happens, nothing is stored.
        case cancelDraft(title: String)
    }

    let record: String
    let change: Change
}

enum WriteOutcome: Sendable, Hashable {
    case acknowledged
    /// The server said that it did not do it.
    case refused
    /// No answer, or one that does not say: it was done, or not, or will not be any more.
    case unknown
}
