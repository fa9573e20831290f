/// A to-one relation, which holds the id of another record and never the record itself.
///
/// ```swift
/// Animal(name: "Okapi", category: Reference(mammals))
/// ```
public struct Reference<M: Model>: Hashable, Sendable, Identifiable {
    /// The id of the record that the reference points to.
    public let id: RecordID<M>

    /// Creates a reference to the record with the given id.
    public init(id: RecordID<M>) {
        self.id = id
    }

    /// Creates a reference to a record.
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
