import AviaryDomain

extension DependencyContainer {
    /// Stores the values together.
    ///
    /// - Throws: `StoreError`.
    func insertSampleData(_ values: [any Model]) async throws {
        guard !values.isEmpty else { return }
        _ = try await writer.submit(ChangeSet(author: Session.user, changes: values.map(\.insertion)))
    }

    /// Whether no model has a record.
    func isEmpty() async throws -> Bool {
        for model in models {
            guard try await model.repository.count() == 0 else { return false }
        }
        return true
    }
}
