public import Foundation

/// The identity of a record of one model: a UUID that only fits that model.
///
/// New ids are UUIDs of version 7 (RFC 9562, section 5.7): they sort by the time they were made, which keeps
/// inserts at the end of the index.
public struct RecordID<M>: Hashable, Sendable {
    public let uuid: UUID

    /// A new id of version 7.
    public init() {
        uuid = UUID.version7()
    }

    public init(_ uuid: UUID) {
        self.uuid = uuid
    }
}

extension RecordID: CustomStringConvertible {
    /// Canonical lower-case text, as in the file and in URLs.
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
