/// Why a read gave no result. Reads change nothing, so each can be tried again.
///
/// More cases may be added: match the ones you handle and treat the rest by ``description``.
public enum ReadError: Error, Sendable, Hashable {
    /// It worked for as long as a read of its kind may, and was interrupted.
    case tookTooLong(limit: Duration)
    /// Its task was cancelled, as when a client goes away.
    case cancelled
    /// It did not begin: as many long reads as the process allows were at work all the time.
    case queueFull(limit: Duration)
    /// It held what was written since it began, which had become too much, or it did not begin because there was too much already.
    case heldLog
    /// Another process held the store's file all the time.
    case storeBusy
}

extension ReadError: CustomStringConvertible {
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
