import AviaryDomain

extension AviaryApp {
    /// Hands the application's store to a command of its own: through the server that runs on the directory, or, where none
    /// does, as the owner of the store for as long as the body runs. Save hooks run as they do in the admin.
    ///
    /// ```swift
    /// func run() async throws {
    ///     try await Zoo.withStore(data: location.path, as: "feeder") { store in
    ///         let animals = try await store.repository(for: Animal.self)
    ///         try await animals.insert(Animal(name: "Okapi"))
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - directory: The data directory; made when it is missing.
    ///   - author: In whose name to write.
    /// - Throws: What the body throws; ``DataDirectoryError``; what is wrong with the store's file.
    public static func withStore<Result: Sendable>(
        data directory: String, as author: String, _ body: (AviaryStore) async throws -> Result
    ) async throws -> Result {
        let app = try AppDefinition(Self.self)
        return try await DependencyContainer.attached(to: directory, of: app) { try await body($0.store(for: author)) }
    }
}
