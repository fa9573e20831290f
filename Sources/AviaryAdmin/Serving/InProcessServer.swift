package import AviaryDomain
import AviaryHTTP
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle

/// A server for an application in this process, for the tests of an application.
///
/// It has the store, the store's socket and the web worker of `serve --in-process`. It handles no signals, reads no
/// environment variables, and takes neither backups nor data checks.
package struct InProcessServer: Sendable {
    /// The address that it serves, such as `http://127.0.0.1:40123`.
    package let address: String

    private let app: AppDefinition
    private let directory: ServerDirectory
    private let container: DependencyContainer
    private let web: ListeningSocket
    private let storeSocket: UnixListeningSocket

    /// Opens the store of a directory and listens on a free port of the loopback address.
    ///
    /// - Parameters:
    ///   - type: The application.
    ///   - path: The data directory. It is created when it does not exist.
    ///   - insertsSampleData: Pass true to commit the application's sample changes before the server starts.
    /// - Throws: `DataDirectoryError`; an error that reports a mistake in the application's declarations; `StoreError`
    ///   for sample data that the store rejects.
    package init<App: AviaryApp>(_ type: App.Type, data path: String, insertsSampleData: Bool = false) async throws {
        let app = try AppDefinition(App.self)
        let directory = try ServerDirectory(locking: StoreLocation(path))
        let container = try DependencyContainer(
            owning: directory, of: app, onFatalError: Server.terminateImmediately(app))
        do {
            if insertsSampleData { try await container.insertSampleData(app.sampleChanges) }
            guard let socketPath = UnixSocketPath(directory.socketPath) else {
                throw DataDirectoryError(
                    path: directory.path, reason: "cannot be opened.", advice: "Check that this user owns it."
                )
            }
            let web = try ListeningSocket(host: Self.host, port: 0)
            do {
                storeSocket = try UnixListeningSocket(address: socketPath.address)
            } catch {
                close(web.descriptor)
                throw error
            }
            self.web = web
        } catch {
            await container.close()
            throw error
        }
        self.app = app
        self.directory = directory
        self.container = container
        address = "http://\(Self.host):\(web.port)"
    }

    private static let host = "127.0.0.1"

    /// Serves until a closure returns, then ends the server and closes the store. Call it once.
    ///
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure, otherwise an error of the server.
    package func run<Result>(
        isolation: isolated (any Actor)? = #isolation, while body: () async throws -> Result
    ) async throws -> Result {
        let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
        let group = serviceGroup { ready.finish() }
        let serving = Task {
            defer { ready.finish() }
            try await group.run()
        }
        // No signal is lost: a group that has failed has finished the stream, too.
        for await _ in readiness {}
        let result: Result
        do {
            result = try await body()
        } catch {
            // The error of the body explains a failing test better than one of the server.
            try? await end(group, serving)
            throw error
        }
        try await end(group, serving)
        return result
    }

    private func end(_ group: ServiceGroup, _ serving: Task<Void, any Error>) async throws {
        await group.triggerGracefulShutdown()
        let result = await serving.result
        await container.close()
        directory.statusFile.remove()
        try result.get()
    }

    private func serviceGroup(onServing: @escaping @Sendable () -> Void) -> ServiceGroup {
        let server = Server(
            app: app, host: Self.host, directory: directory, isDemo: false, settings: AddressSettings()
        )
        var logger = server.logger
        logger.logLevel = max(logger.logLevel, .warning)
        let process = ProcessStatus.Process(pid: getpid(), restarts: 0, isReady: true)
        return ServiceGroup(
            configuration: .shutdown(
                logger: logger,
                services: [
                    StoreSocketService(container: container, descriptor: storeSocket.descriptor, logger: logger),
                    HTTPService(
                        descriptor: web.descriptor,
                        responder: AdminResponder(
                            name: app.name, container: container, routes: app.routes, host: Self.host, port: web.port,
                            languages: app.languages, timeZone: app.timeZone, settings: AddressSettings()
                        ),
                        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger,
                        metrics: ProcessMetrics.http, linger: { .zero }
                    ),
                    ReadinessService {
                        server.write(ProcessStatus(supervisor: getpid(), store: process, workers: [process]))
                        onServing()
                    },
                ]
            ))
    }
}

extension InProcessServer {
    /// The store, for reads and writes beside the admin. The application's save hooks run for them.
    ///
    /// - Parameter author: The name under which the history records the changes.
    package func store(for author: String) -> AviaryStore { container.store(for: author) }

    /// Begins a session of an account, which is created without a password when it does not exist.
    ///
    /// - Parameters:
    ///   - name: The name of the account.
    ///   - role: The name of the account's role.
    /// - Returns: The cookie of the session.
    /// - Throws: `AccountError`, `StoreError`, `ReadError`.
    package func beginSession(of name: AccountName, role: String) async throws -> (cookie: String, value: String) {
        let accounts = container.accounts
        var account = try await accounts.account(named: name)
        if account == nil {
            let new = Account(name: name.text, role: role, passwordHash: nil, createdAt: Date())
            try await accounts.add(new, by: "test")
            account = new
        }
        guard let account, account.role == role else { throw AccountError.nameTaken(name.text) }
        let token = SecretToken()
        let visitor = ClientInfo(session: token.id, address: Self.host, userAgent: "a test")
        try await accounts.begin(visitor.session(of: account, at: Date()), of: account, at: Date())
        return (CookieNames(port: web.port).session, token.text)
    }
}
