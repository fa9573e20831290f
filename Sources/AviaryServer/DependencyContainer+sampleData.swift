import AviaryDomain

extension DependencyContainer {
    /// Stores the values together.
    ///
    /// - Throws: `StoreError`.
    func insertSampleData(_ values: [any Model]) async throws {
        guard !values.isEmpty else { return }
        _ = try await writer.submit(ChangeSet(author: Session.user, changes: values.map(\.insertion)))
    }
}
