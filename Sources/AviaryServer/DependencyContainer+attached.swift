import AviaryDomain

extension DependencyContainer {
    /// Hands the store of a data directory to a command for as long as the body runs.
    ///
    /// - Throws: What the body throws; `DataDirectoryError`; what is wrong with the store's file.
    static func attached<Result: Sendable>(
        to path: String, of app: AppDefinition, _ body: (DependencyContainer) async throws -> Result
    ) async throws -> Result {
        let container = try DependencyContainer(attachingTo: path, of: app, onFatalError: Server.endAtOnce(app))
        do {
            let result = try await body(container)
            await container.close()
            return result
        } catch {
            await container.close()
            throw error
        }
    }
}

extension AccountRepository {
    /// - Throws: ``AccountError/notFound``.
    func existing(_ name: AccountName) async throws -> Account {
        guard let account = try await account(named: name) else { throw AccountError.notFound }
        return account
    }
}
