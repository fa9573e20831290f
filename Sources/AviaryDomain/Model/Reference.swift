/// A to-one relation: holds the id of another record, never the record itself.
///
/// ```swift
/// Animal(name: "Okapi", category: Reference(mammals))
/// ```
public struct Reference<M: Model>: Hashable, Sendable, Identifiable {
    public let id: RecordID<M>

    public init(id: RecordID<M>) {
        self.id = id
    }

    public init(_ model: M) {
        id = model.id
    }
}

extension Reference: Codable {
    public init(from decoder: any Decoder) throws {
        id = try RecordID(from: decoder)
    }

    public func encode(to encoder: any Encoder) throws {
        try id.encode(to: encoder)
    }
}
