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
    /// The UUID in lowercase, as in the store's file and in URLs.
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

/// A to-one relation, which holds the id of another record and never the record itself.
///
/// ```swift
/// Animal(name: "Okapi", category: Reference(mammals))
/// ```
@dynamicMemberLookup
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

    /// Creates a reference to the same record as a reference of another version of the models.
    ///
    /// A conversion of a migration keeps the ids of the records, and so the references to them:
    ///
    /// ```swift
    /// ModelConversion(from: ZooSchemaV1.Animal.self, to: ZooSchemaV2.Animal.self) { old in
    ///     ZooSchemaV2.Animal(name: old.name, category: Reference(converting: old.category))
    /// }
    /// ```
    ///
    /// - Parameter reference: A reference to the model of the other version.
    public init<Other: Model>(converting reference: Reference<Other>) {
        id = RecordID(reference.id.uuid)
    }

    /// Creates a reference to the same record as a reference of another version of the models; nil for nil.
    ///
    /// - Parameter reference: A reference to the model of the other version, or nil.
    public init?<Other: Model>(converting reference: Reference<Other>?) {
        guard let reference else { return nil }
        self.init(converting: reference)
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

/// A to-many relation: the other side of a ``Reference``, or of another `Related`.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Animal.category) var animals: Related<Animal>
/// ```
///
/// The property has no column and no value of its own. The related records are those whose references point to this
/// record, or, when both sides are `Related`, those that are linked with it. Read them with
/// ``Repository/related(_:to:)-(_,M.ID)``. Name the other side with `@Relationship(inverse:)`, on one side only.
public struct Related<M: Model>: Hashable, Sendable {
    // Swift compares key paths to stored properties by their offsets in the struct. Without a size, two adjacent
    // relations to the same model would have equal key paths.
    private let place: UInt8 = 0

    /// Creates the value of a to-many property. It holds no records.
    public init() {}
}

// In SwiftData a relation holds the other records. The compiler says what to write instead.
extension Reference {
    /// Rejects access to a property of the other record at compile time.
    @available(
        *, unavailable,
        message:
            "a reference holds the id of a record, not the record: read it with find(reference.id) or fetchResults, and state conditions on it with FetchDescriptor.related"
    )
    public subscript<Value>(dynamicMember keyPath: KeyPath<M, Value>) -> Value {
        preconditionFailure("No code that compiles calls this.")
    }
}

@available(
    *, unavailable,
    message:
        "a relation holds no records: read them with Repository.related(_:to:), and state conditions on them with FetchDescriptor.related"
)
extension Related: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { 0 }
    public subscript(position: Int) -> M { preconditionFailure("No code that compiles calls this.") }
}

extension Related {
    /// Rejects a change of the relation by way of a record at compile time.
    @available(
        *, unavailable,
        message:
            "a relation holds no records: set the reference of the other record, or link many-to-many with Repository.link(_:_:with:)"
    )
    public mutating func append(_ model: M) {}
}
