import AviaryDomain
import Foundation

/// What the store's socket is asked.
enum StoreRequest: Sendable, Codable {
    case submit(ChangeSet)
    case undo(Undo)
    case discard(draft: UUID)
    case replaceContents(path: String)
    case status
}

/// What it answers.
enum StoreResponse: Sendable, Codable {
    case stored(Receipt)
    case discarded
    case replaced(commit: Int64)
    case status(StoreStatus)
    /// Refused; nothing was done.
    case refused(StoreError)
    /// The deadline passed before the request was begun; nothing was done.
    case expired
    case incompatible(version: UInt8)
}
