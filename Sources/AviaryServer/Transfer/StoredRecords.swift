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
            .related(to: [id], by: property, limit: Int(Int32.max))[id]
        return related?.first.map(\.id) ?? []
    }

    func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await container.model(named: model.name)?.repository.related(to: [id], by: property, limit: 0)[id]?.count
            ?? 0
    }
}

extension DependencyContainer {
    /// Stores a batch of an import. When the store does not answer in time, the same change set is sent again, which is never
    /// stored twice: whoever is told that a batch is not stored imports its lines once more.
    ///
    /// - Throws: `StoreError`.
    func submitImport(_ changeSet: ChangeSet, attempts: Int = 4) async throws -> Receipt {
        for _ in 1..<max(attempts, 1) {
            do {
                return try await writer.submit(changeSet)
            } catch {
                guard error == .unanswered else { throw error }
                try Task.checkCancellation()
            }
        }
        return try await writer.submit(changeSet)
    }
}
