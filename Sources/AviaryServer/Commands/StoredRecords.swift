import AviaryDomain
import Foundation

/// What an import is told of the records that are stored.
struct StoredRecords: RecordLookUp {
    let container: DependencyContainer

    func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await container.model(named: model.name)?.repository.ids(where: values, limit: 2) ?? []
    }

    func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool {
        try await record(id, of: model) != nil
    }

    func record(_ id: UUID, of model: ModelSchema) async throws -> Record? {
        try await container.model(named: model.name)?.repository.find(id)
    }

    func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] {
        let related = try await container.model(named: model.name)?.repository
            .related(to: [id], by: property, limit: RelatedSummary.mostCounted)[id]
        return related?.first.map(\.id) ?? []
    }

    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await container.model(named: model.name)?.repository.related(to: [id], by: property, limit: 0)[id]?.count ?? 0
    }
}

extension DependencyContainer {
    /// Stores a batch of an import. When the store does not answer in time, its receipt may still tell that everything is there.
    ///
    /// - Throws: `StoreError`.
    func submitImport(_ changeSet: ChangeSet) async throws -> Receipt {
        do {
            return try await writer.submit(changeSet)
        } catch StoreError.unanswered {
            guard case .saved(let commit) = try await ledger.outcome(ofDraft: changeSet.id) else { throw StoreError.unanswered }
            return Receipt(changeSet: changeSet.id, commit: commit, isRepeat: true)
        }
    }
}
