/// An error for a read that gave no result. Reads change nothing, so you can repeat each of them.
///
/// Later versions may add cases. Match the cases that you handle, and use ``description`` for the others.
public enum ReadError: Error, Sendable, Hashable {
    /// The read ran for longer than the limit for reads of its kind and was interrupted.
    case tookTooLong(limit: Duration)
    /// The task of the read was cancelled, for example because a client disconnected.
    case cancelled
    /// The read did not start, because the greatest number of long reads of the process ran for the whole time limit.
    case queueFull(limit: Duration)
    /// The read kept the write-ahead log from being emptied and the log became too large, or it was too large to begin.
    case heldLog
    /// Another process had a lock on the store's file for the whole time limit.
    case storeBusy
}

extension ReadError: CustomStringConvertible {
    /// A sentence that describes the error and what to do about it.
    public var description: String {
        switch self {
        case .tookTooLong(let limit):
            "The read took longer than \(limit.components.seconds) s and was interrupted. Ask for less at once."
        case .cancelled: "The read was cancelled. Nobody waited for it any more; ask again if you do."
        case .queueFull(let limit):
            "The read waited \(limit.components.seconds) s for other long reads to end. Try again when fewer are at work."
        case .heldLog:
            "So much was saved while long reads were at work that this one gave way. Try again in a moment."
        case .storeBusy: "Another process held the store's file for too long. Try again in a moment."
        }
    }
}
