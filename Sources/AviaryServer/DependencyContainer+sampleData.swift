import AviaryDomain

extension DependencyContainer {
    /// Stores the changes together.
    ///
    /// - Throws: `StoreError`.
    func insertSampleData(_ changes: [Change]) async throws {
        guard !changes.isEmpty else { return }
        _ = try await writer.submit(ChangeSet(author: CommandAuthor.name, changes: changes))
    }

    /// Whether no model has a record.
    func isEmpty() async throws -> Bool {
        for model in models {
            guard try await model.repository.count() == 0 else { return false }
        }
        return true
    }
}
