/// A change of one record that a browser asks for.
struct Write: Sendable, Hashable {
    enum Change: Sendable, Hashable, Codable {
        case add(title: String)
        case edit(title: String)
        case delete
        /// A delete that is taken back: what was there is there again.
        case restore(title: String)
        /// A draft that is cancelled: whatever happens, nothing is stored.
        case cancelDraft(title: String)
    }

    let record: String
    let change: Change
}

enum WriteOutcome: String, Sendable, Hashable, Codable {
    case acknowledged
    /// The server said that it did not do it.
    case refused
    /// No answer, or one that does not say: it was done, or not, or will not be any more.
    case unknown
}
