import AviaryDomain

extension AviaryApp {
    /// Runs a closure with the application's store, for a command of the application.
    ///
    /// When a server runs on the directory, the closure works through it. Otherwise this process owns the store while
    /// the closure runs. Save hooks run as they do in the admin.
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
    ///   - directory: The data directory. It is created when it does not exist.
    ///   - author: The name under which the history records the changes.
    ///   - body: A closure that takes the store.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure; ``DataDirectoryError``; an error that reports a mistake in the application's
    ///   declarations or a problem with the store's file.
    public static func withStore<Result: Sendable>(
        data directory: String, as author: String, _ body: (AviaryStore) async throws -> Result
    ) async throws -> Result {
        let app = try AppDefinition(Self.self)
        return try await DependencyContainer.attached(to: directory, of: app) { try await body($0.store(for: author)) }
    }
}
