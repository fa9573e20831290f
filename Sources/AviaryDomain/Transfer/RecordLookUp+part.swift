package import Foundation

/// The queries of an import about stored records.
package protocol RecordLookUp: Sendable {
    /// Returns the ids of at most two records that have exactly these values, by property name. A second id means that
    /// the record is ambiguous.
    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID]

    /// Returns a Boolean value that indicates whether a record with this id exists.
    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool

    /// The record as it is stored; nil when there is none.
    func record(_ id: UUID, of model: ModelSchema) async throws -> Record?

    /// The records that a many-to-many property links this one with.
    func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID]

    /// Returns the number of related records of a to-many property; 0 when the record does not exist.
    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int
}

// Where no record is there to be changed.
extension RecordLookUp {
    package func record(_ id: UUID, of model: ModelSchema) async throws -> Record? { nil }
    package func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] { [] }
}

/// A store that is not there yet.
package struct NothingStored: RecordLookUp {
    package init() {}

    package func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] { [] }
    package func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { false }
    package func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }
}
