import Foundation

/// A record of whatever model.
struct RecordKey: Sendable, Hashable {
    let model: String
    let id: UUID
}
