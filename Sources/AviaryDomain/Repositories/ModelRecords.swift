package import Foundation

/// The records of one model, as a ``Repository`` uses them.
package protocol ModelRecords: Sendable {
    /// Returns the results of `make` for each record, in the order of the query. The records have no titles of
    /// references.
    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value]

    /// Returns the results of `make` for each record's id and the values of these properties, the only ones that are
    /// read.
    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value]

    /// The records with those that they are related to, in one statement for each relation.
    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists

    func identifiers(_ query: RecordQuery) async throws -> [UUID]

    func count(_ query: RecordQuery) async throws -> Int

    /// The record, or nil when it does not exist (any more).
    func find(_ id: UUID) async throws -> Record?

    /// Returns the receipt of a change set; nil while no change set with this id is on disk, and when its receipt has
    /// expired.
    func receipt(of changeSet: UUID) async throws -> Receipt?

    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt
}
