import AviaryDomain
import Foundation

@testable import AviaryData

/// Records that somebody else changes right after they were looked at, the first time.
struct OvertakenRecords: ModelRecords {
    let base: SQLRecordRepository
    let looks = Tally()
    let change: @Sendable () async throws -> Void

    func find(_ id: UUID) async throws -> Record? {
        let record = try await base.find(id)
        if looks.add() == 1 { try await change() }
        return record
    }

    func fetch<Value: Sendable>(
        _ query: RecordQuery, _ make: @escaping @Sendable (Record) throws -> Value
    ) async throws -> [Value] {
        try await base.fetch(query, make)
    }

    func values<Value: Sendable>(
        _ query: RecordQuery, of properties: [PropertySchema],
        _ make: @escaping @Sendable (UUID, [FieldValue]) throws -> Value
    ) async throws -> [Value] {
        try await base.values(query, of: properties, make)
    }

    func related(_ query: RecordQuery, by paths: [RelationPath]) async throws -> RelatedRecordLists {
        try await base.related(query, by: paths)
    }

    func identifiers(_ query: RecordQuery) async throws -> [UUID] { try await base.identifiers(query) }
    func count(_ query: RecordQuery) async throws -> Int { try await base.count(query) }
    func receipt(of changeSet: UUID) async throws -> Receipt? { try await base.receipt(of: changeSet) }
    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt { try await base.submit(changeSet) }
}
