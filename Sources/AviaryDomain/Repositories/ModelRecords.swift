package import Foundation

/// The records of one model, as a ``Repository`` uses them.
package protocol ModelRecords: Sendable {
    /// What `make` makes of each record, in the order asked for. The records carry no titles of references.
    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value]

    func identifiers(_ query: RecordQuery) async throws -> [UUID]

    func count(_ query: RecordQuery) async throws -> Int

    /// The record, or nil when it does not exist (any more).
    func find(_ id: UUID) async throws -> Record?

    /// Nil while no change set of this id is on disk, or when that was longer ago than receipts are kept.
    func receipt(of changeSet: UUID) async throws -> Receipt?

    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt
}
