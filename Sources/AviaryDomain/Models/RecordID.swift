public import Foundation

/// The identity of a record: a UUID that is typed by its model.
///
/// New ids are UUIDs of version 7 (RFC 9562, section 5.7). They sort by the time of their creation, so inserts go to
/// the end of the index.
public struct RecordID<M>: Hashable, Sendable {
    /// The UUID of the record.
    public let uuid: UUID

    /// Creates a new id, a UUID of version 7.
    public init() {
        uuid = UUID.version7()
    }

    /// Creates an id from the UUID of a record.
    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

extension RecordID: CustomStringConvertible {
    /// The UUID in lower case, as in the store's file and in URLs.
    public var description: String { uuid.canonicalText }
}

extension RecordID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let uuid = UUID(canonicalText: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a canonical UUID")
        }
        self.init(uuid)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
