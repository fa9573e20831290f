package import AviaryDomain
package import AviaryHTTP
import AviaryIPC
package import AviaryRuntime
package import Foundation
package import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// A server for one data directory on one address, in this process or in several.
package struct Server: Sendable {
    let app: AppDefinition
    let host: String
    let directory: ServerDirectory
    let isDemo: Bool
    let settings: AddressSettings
    let backups: BackupSchedule?
    let dataCheckEnvironment: [String: String]
    let dataCheckInterval: TimeInterval?
    let sessionLimits: SessionLimits
    let sessionEnvironment: [String: String]

    var logger: Logger { .standard(app) }

    /// Creates a server.
    ///
    /// - Parameters:
    ///   - backups: The schedule of the backups; nil when the server takes none by itself.
    ///   - dataCheckEnvironment: The environment of the data checks and the history, for the store process.
    ///   - dataCheckInterval: The time between two data checks in seconds; nil when the server makes none by itself.
    ///   - sessionEnvironment: The limits of sessions, for web workers.
    package init(
        app: AppDefinition, host: String, directory: ServerDirectory, isDemo: Bool, settings: AddressSettings,
        backups: BackupSchedule? = nil, dataCheckEnvironment: [String: String] = [:],
        dataCheckInterval: TimeInterval? = nil, sessionLimits: SessionLimits = SessionLimits(),
        sessionEnvironment: [String: String] = [:]
    ) {
        self.app = app
        self.host = host
        self.directory = directory
        self.isDemo = isDemo
        self.settings = settings
        self.backups = backups
        self.dataCheckEnvironment = dataCheckEnvironment
        self.dataCheckInterval = dataCheckInterval
        self.sessionLimits = sessionLimits
        self.sessionEnvironment = sessionEnvironment
    }

    /// Prints the address of the server and, when nobody has an account yet, the link for the first sign-in.
    ///
    /// - Parameter container: The container of this process; nil to open one for this purpose.
    func announce(port: Int, metricsPort: Int?, container: DependencyContainer? = nil) async {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let listening = "http://\(shownHost):\(port)"
        let link = await firstSignIn(container)
        if let publicURL = settings.publicURL {
            print("\(app.name) is served at \(publicURL)/admin by a proxy that passes on to \(listening)")
        } else {
            print("\(app.name) is served at \(listening)/admin")
        }
        if let metricsPort { print("Metrics are served at http://\(shownHost):\(metricsPort)/metrics") }
        if let link {
            let address = (settings.publicURL.map { "\($0)" } ?? listening) + link
            // The output of a service is kept in the journal, which others may be able to read.
            if ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil {
                print(
                    "There are no accounts yet: run \(app.commandName) user add NAME --role admin \(directory.location.flags)"
                )
            } else {
                print(isDemo ? "Sign in as demo: \(address)" : "Make the first account within an hour: \(address)")
            }
        }
        fflush(nil)
    }

    private func firstSignIn(_ own: DependencyContainer?) async -> String? {
        do {
            guard own == nil else { return try await own.map { InitialSignIn(container: $0, isDemo: isDemo) }?.path() }
            let container = try DependencyContainer(sharing: directory, of: app, as: .command)
            let path: Result<String?, any Error>
            do {
                path = .success(try await InitialSignIn(container: container, isDemo: isDemo).path())
            } catch {
                path = .failure(error)
            }
            await container.close()
            return try path.get()
        } catch {
            logger.warning("it could not be found out whether anybody has an account", error: error)
            return nil
        }
    }

    func write(_ status: ProcessStatus) {
        do {
            try directory.statusFile.write(status)
        } catch {
            logger.warning("the status file could not be written", error: error)
        }
    }
}

extension Server {
    /// The sockets that a server holds as long as it lives, while its processes come and go.
    package struct Sockets: Sendable {
        package let web: ListeningSocket
        package let metrics: ListeningSocket?
        let store: UnixListeningSocket
        /// The notifier for the service manager, if one started the server.
        let service: ServiceNotifier

        /// Takes over the sockets that a service manager passes, and opens the others.
        ///
        /// - Parameters:
        ///   - metricsPort: The port of the metrics on the same address; nil when they have no port of their own.
        ///   - directory: The directory. Its lock is held.
        /// - Throws: `ListeningSocketError`.
        package init(host: String, port: Int, metricsPort: Int?, directory: ServerDirectory, logger: Logger) throws {
            let environment = ProcessInfo.processInfo.environment
            let passed = try PassedSockets(environment: environment, process: getpid())
            if !passed.unused.isEmpty {
                logger.warning(
                    "of the sockets that were passed only one is served; name it web",
                    metadata: ["unused": "\(passed.unused.joined(separator: ", "))"]
                )
            }
            let web =
                try passed.web.map { try ListeningSocket(adopting: $0) } ?? ListeningSocket(host: host, port: port)
            self.web = web
            metrics =
                try passed.metrics.map { try ListeningSocket(adopting: $0) }
                ?? metricsPort.map { try ListeningSocket(host: web.host, port: $0, flag: "--metrics-port") }
            guard let path = UnixSocketPath(directory.socketPath) else {
                throw DataDirectoryError(
                    path: directory.path, reason: "cannot be opened.", advice: "Check that this user owns it."
                )
            }
            store = try UnixListeningSocket(address: path.address)
            service = ServiceNotifier(address: environment[ServiceNotifier.variable])
        }
    }
}

extension Server {
    /// Runs store and web worker in one process, with the same code and the same store socket.
    package func runInProcess(on sockets: Sockets) async throws {
        let container = try DependencyContainer(
            owning: directory, of: app, onFatalError: Self.terminateImmediately(app)
        )
        if isDemo { try await container.insertSampleData(app.sampleChanges + [.insert(InitialSignIn.demoAccount)]) }
        await container.resealSecrets(logger: logger)
        let hangUps = await hangUpsWithoutDeploys()
        defer { hangUps.cancel() }
        let process = ProcessStatus.Process(pid: getpid(), restarts: 0, isReady: true)
        let ending = ShutdownSignals()
        try await ending.run(
            ServiceGroup(
                configuration: .shutdown(
                    logger: logger,
                    services: [
                        StoreSocketService(container: container, descriptor: sockets.store.descriptor, logger: logger),
                        container.backupService(backups, of: app, logger: logger),
                        container.dataCheckService(every: dataCheckInterval, of: app, logger: logger),
                        webService(
                            container, descriptor: sockets.web.descriptor, port: sockets.web.port, ending: ending),
                        ImportResumption(container: container, languages: app.languages, logger: logger),
                        ReadinessService {
                            write(ProcessStatus(supervisor: getpid(), store: process, workers: [process]))
                            Task {
                                await announce(
                                    port: sockets.web.port, metricsPort: sockets.metrics?.port, container: container)
                                sockets.service.notify(.ready, logger)
                            }
                        },
                    ] + monitoringServices(container, descriptor: sockets.metrics?.descriptor)
                )))
        sockets.service.notify(.stopping, logger)
        await container.close()
        directory.statusFile.remove()
    }

    /// Handles SIGHUP without a deploy.
    ///
    /// A single process cannot replace itself without failing requests, so the server logs a warning. If the
    /// terminal was closed, the server ends as with SIGTERM.
    private func hangUpsWithoutDeploys() async -> Task<Void, Never> {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        let terminal = ControllingTerminal()
        return Task {
            for await _ in signals {
                if terminal.hasHungUp {
                    kill(getpid(), SIGTERM)
                } else {
                    logger.warning(
                        "SIGHUP deploys nothing with --in-process; end this server and start the new program")
                }
            }
        }
    }

    func webService(_ container: DependencyContainer, descriptor: CInt, port: Int, ending: ShutdownSignals)
        -> any Service
    {
        var limits = ConnectionLimits.standard
        limits.uploadPaths = FormMiddleware.uploadPaths
        return HTTPService(
            descriptor: descriptor,
            responder: AdminResponder(
                name: app.name, container: container, routes: app.routes, host: host, port: port,
                languages: app.languages, timeZone: app.timeZone, settings: settings, sessionLimits: sessionLimits,
                isDemo: isDemo
            ),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger, metrics: ProcessMetrics.http,
            limits: limits,
            linger: { ending.linger }
        )
    }

    /// Returns a function that ends the process.
    ///
    /// A store that can no longer guarantee durability must not continue.
    package static func terminateImmediately(_ app: AppDefinition) -> @Sendable (String) -> Void {
        { reason in
            Logger.standard(app).critical("the store failed and stops", metadata: ["error": "\(reason)"])
            // Other threads still run and use the resources that exit() would destroy. The log is written without
            // a buffer.
            _exit(1)
        }
    }

    /// Runs a supervisor, one store process and the workers until a signal ends them.
    package func runSupervised(workers: Int, on sockets: Sockets) async throws {
        let shared = directory.location.arguments + (isDemo ? ["--demo"] : [])
        let web = ["--host", host, "--port", String(sockets.web.port)] + settings.arguments
        let plan = ProcessPlan(
            program: ProgramPath.own,
            environment: childEnvironment,
            storeArguments: [ChildCommandName.store] + shared,
            workerArguments: [ChildCommandName.worker] + web + metricsArguments(sockets) + shared,
            firstWorkerArguments: ["--with-store"],
            probeArguments: ["migrate", "--dry-run", "--json"] + directory.location.arguments,
            workers: workers, storeSocket: sockets.store.descriptor, workerSocket: sockets.web.descriptor,
            metricsSocket: sockets.metrics?.descriptor, storeLock: directory.lockDescriptor
        )
        let supervisor = try Supervisor(
            plan: plan, logger: logger, service: sockets.service,
            onServing: { Task { await announce(port: sockets.web.port, metricsPort: sockets.metrics?.port) } },
            onChange: { try directory.statusFile.write($0) }
        )
        let terminal = ControllingTerminal()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let listening = Task {
            for await signal in signals {
                switch signal {
                // A closed terminal is not a request for a deploy.
                case .sighup where !terminal.hasHungUp: supervisor.reload()
                case .sigint: supervisor.end(atOnce: true)
                default: supervisor.end()
                }
            }
        }
        defer {
            listening.cancel()
            directory.statusFile.remove()
        }
        try await supervisor.run()
    }

    private func metricsArguments(_ sockets: Sockets) -> [String] {
        sockets.metrics.map { ["--metrics-port", String($0.port)] } ?? []
    }

    /// The variables that are for this process alone. The location of the store is an argument of the children.
    private static let ownVariables: Set = [ServiceNotifier.variable, StoreLocation.databaseVariable]

    private var childEnvironment: [String: String] {
        // One malloc arena per thread costs memory and does not help processes with few threads. The runtime
        // reports a trap in one line. A full backtrace would stop the process for a minute, together with its
        // sockets and waiting clients, and would print the contents of its registers.
        ProcessInfo.processInfo.environment
            .merging(["MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
            .merging(Logger.childEnvironment) { _, decided in decided }
            .merging(backups?.environment ?? [:]) { _, decided in decided }
            .merging(dataCheckEnvironment) { _, decided in decided }
            .merging(sessionEnvironment) { _, decided in decided }
            .filter { !PassedSockets.variables.contains($0.key) && !Self.ownVariables.contains($0.key) }
    }

    /// Returns the service for health, readiness and metrics on a socket of its own, which browser requests never
    /// keep busy. Returns no service when there is no such socket.
    func monitoringServices(_ container: DependencyContainer, descriptor: CInt?) -> [any Service] {
        guard let descriptor else { return [] }
        return [
            HTTPService(
                descriptor: descriptor,
                responder: MonitoringResponder(
                    routes: HealthRoutes(application: app.name, container: container),
                    names: Set((settings.allowedHosts + [settings.publicURL?.authority].compactMap(\.self)).map(\.host))
                ),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            )
        ]
    }
}
