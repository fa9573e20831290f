package import AviaryDomain
package import Foundation
import Logging

/// The stored records that an import looks up.
package struct StoredRecords: RecordLookup {
    let container: DependencyContainer
    private let author: String
    private let earlier = EarlierRecords()

    /// Creates the collection.
    ///
    /// - Parameter author: The account for which the hooks of the application run.
    package init(container: DependencyContainer, author: String = CommandAuthor.name) {
        self.container = container
        self.author = author
    }

    package func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] {
        try await container.model(named: model.name)?.repository.ids(where: values, limit: 2) ?? []
    }

    package func titles(of model: ModelSchema) async throws -> [String: [UUID]]? {
        guard let repository = container.model(named: model.name)?.repository, repository.schema.titleText == nil else {
            return nil
        }
        let choices = try await repository.choices(limit: Self.mostTitles + 1)
        guard choices.count <= Self.mostTitles else { return nil }
        return Dictionary(grouping: choices, by: \.title).mapValues { $0.map(\.id) }
    }

    /// The largest number of composed titles that an import keeps in memory for a model.
    private static var mostTitles: Int { 20_000 }

    package func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool {
        try await record(id, of: model) != nil
    }

    package func record(_ id: UUID, of model: ModelSchema) async throws -> Record? {
        try await container.model(named: model.name)?.repository.find(id)
    }

    package func links(of property: String, of model: ModelSchema, id: UUID) async throws -> [UUID] {
        let related = try await container.model(named: model.name)?.repository
            .related(to: [id], by: property, limit: Int(Int32.max))[id]
        return related?.first.map(\.id) ?? []
    }

    package func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int {
        try await container.model(named: model.name)?.repository.related(to: [id], by: property, limit: 0)[id]?.count
            ?? 0
    }
}

extension StoredRecords {
    package func preparesRecords(of model: ModelSchema) -> Bool {
        container.preparation.hooks.prepareRecords(of: model.name)
    }

    package func endPrepared(isSaved: Bool) { earlier.endLine(isSaved: isSaved) }

    package func forgetPrepared() { earlier.removeAll() }

    package func prepared(
        _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?
    ) async throws -> Result<[String: FieldValue], FieldProblem> {
        try await container.preparation.checked(
            values, of: model, id: id, version: version, by: author, behind: earlier)
    }
}

/// The look-up of a check without a store, which runs the hooks of the application.
package struct UnstoredRecords: RecordLookup {
    private let preparation: SavePreparation
    private let earlier = EarlierRecords()

    package init(app: AppDefinition) {
        preparation = SavePreparation(hooks: app.saveHooks, logger: .standard(app))
    }

    package func ids(of model: ModelSchema, where values: [String: FieldValue]) async throws -> [UUID] { [] }
    package func contains(_ id: UUID, of model: ModelSchema) async throws -> Bool { false }
    package func count(of property: String, of model: ModelSchema, id: UUID) async throws -> Int { 0 }

    package func preparesRecords(of model: ModelSchema) -> Bool {
        preparation.hooks.prepareRecords(of: model.name)
    }

    package func prepared(
        _ values: [String: FieldValue], of model: ModelSchema, id: UUID, version: Int64?
    ) async throws -> Result<[String: FieldValue], FieldProblem> {
        try await preparation.checked(
            values, of: model, id: id, version: version, by: CommandAuthor.name, behind: earlier)
    }

    package func endPrepared(isSaved: Bool) { earlier.endLine(isSaved: isSaved) }

    package func forgetPrepared() { earlier.removeAll() }
}

extension DependencyContainer {
    /// Stores a batch of an import.
    ///
    /// When the store does not answer in time, sends the same change set again, which is never stored twice. An
    /// error must mean that the batch is not stored, because the import then repeats its lines.
    ///
    /// - Throws: `StoreError`.
    package func submitImport(_ changeSet: ChangeSet, attempts: Int = 4) async throws -> Receipt {
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
