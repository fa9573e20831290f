import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// Serves one data directory on one address: in this process, or by a family of processes.
struct Server: Sendable {
    let app: AppDefinition
    let host: String
    let directory: ServedDirectory
    let isDemo: Bool
    let settings: AddressSettings
    /// Nil where it takes no backups by itself.
    var backups: BackupSchedule?
    /// For the store process.
    var dataCheckEnvironment: [String: String] = [:]
    /// Seconds between two data checks; nil where it makes none by itself.
    var dataCheckInterval: TimeInterval?
    var sessionLimits = SessionLimits()
    /// The limits of sessions, for web workers.
    var sessionEnvironment: [String: String] = [:]

    var logger: Logger { .standard(app) }

    /// Says where it is served and, where nobody has an account yet, how to get in.
    ///
    /// - Parameter container: of this process; one is opened for the question unless given.
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
            // What a service prints is kept in the journal, where others may read it.
            if ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil {
                print(
                    "There are no accounts yet: run \(app.commandName) user add NAME --role admin --data \(directory.path)"
                )
            } else {
                print(isDemo ? "Sign in as demo: \(address)" : "Make the first account within an hour: \(address)")
            }
        }
        fflush(nil)
    }

    private func firstSignIn(_ own: DependencyContainer?) async -> String? {
        do {
            guard own == nil else { return try await own.map { FirstSignIn(container: $0, isDemo: isDemo) }?.path() }
            let container = try DependencyContainer(sharing: directory, of: app, as: .command)
            let path: Result<String?, any Error>
            do {
                path = .success(try await FirstSignIn(container: container, isDemo: isDemo).path())
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

extension Logger {
    static func standard(_ app: AppDefinition) -> Logger {
        Logger(label: app.commandName)
    }
}

extension Server {
    /// What a server holds as long as it lives, whichever processes come and go.
    struct Sockets: Sendable {
        let web: ListeningSocket
        let metrics: ListeningSocket?
        let store: UnixListeningSocket
        /// Whoever started the server and wants to know how it is.
        let service: ServiceNotifier

        /// Those that a service manager passes; the others are opened.
        ///
        /// - Parameters:
        ///   - metricsPort: on the same address; nil when metrics have no port of their own.
        ///   - directory: of which the lock is held.
        /// - Throws: `ListeningSocketError`.
        init(host: String, port: Int, metricsPort: Int?, directory: ServedDirectory, logger: Logger) throws {
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
    /// Store and web worker in one process, with the same code and the same store socket.
    func runInProcess(on sockets: Sockets) async throws {
        let container = try DependencyContainer(
            owning: directory, of: app, onFatalError: Self.endAtOnce(app)
        )
        if isDemo { try await container.insertSampleData(app.sampleChanges + [.insert(FirstSignIn.demoAccount)]) }
        await container.resealSecrets(logger: logger)
        let hangUps = await hangUpsWithoutDeploys()
        defer { hangUps.cancel() }
        let process = ProcessStatus.Process(pid: getpid(), restarts: 0, isReady: true)
        let ending = EndingSignals()
        try await ending.run(
            ServiceGroup(
                configuration: .ending(
                    logger: logger,
                    services: [
                        StoreSocketService(container: container, descriptor: sockets.store.descriptor, logger: logger),
                        container.backupService(backups, of: app, logger: logger),
                        container.dataCheckService(every: dataCheckInterval, of: app, logger: logger),
                        webService(
                            container, descriptor: sockets.web.descriptor, port: sockets.web.port, ending: ending),
                        ReadinessService {
                            write(ProcessStatus(supervisor: getpid(), store: process, workers: [process]))
                            Task {
                                await announce(
                                    port: sockets.web.port, metricsPort: sockets.metrics?.port, container: container)
                                sockets.service.notify(.ready, logger)
                            }
                        },
                    ] + watchServices(container, descriptor: sockets.metrics?.descriptor)
                )))
        sockets.service.notify(.stopping, logger)
        await container.close()
        directory.statusFile.remove()
    }

    /// One process cannot replace itself without failing requests, so SIGHUP says so. Where the terminal was closed it ends,
    /// like SIGTERM.
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

    func webService(_ container: DependencyContainer, descriptor: CInt, port: Int, ending: EndingSignals) -> any Service
    {
        HTTPService(
            descriptor: descriptor,
            responder: AdminResponder.make(
                name: app.name, container: container, routes: app.routes, host: host, port: port,
                languages: app.languages, settings: settings, sessionLimits: sessionLimits, isDemo: isDemo
            ),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger, metrics: ProcessMetrics.http,
            linger: { ending.linger }
        )
    }

    /// A store that cannot promise durability any more must not go on.
    static func endAtOnce(_ app: AppDefinition) -> @Sendable (String) -> Void {
        { reason in
            Logger.standard(app).critical("the store failed and stops", metadata: ["error": "\(reason)"])
            // Other threads run on, and what exit() takes away is still in use by them. The log is written without a buffer.
            _exit(1)
        }
    }
}

extension Server {
    /// A supervisor, one store process and the workers, until a signal ends them.
    func runSupervised(workers: Int, on sockets: Sockets) async throws {
        let shared = ["--data", directory.path] + (isDemo ? ["--demo"] : [])
        let web = ["--host", host, "--port", String(sockets.web.port)] + settings.arguments
        let plan = ProcessPlan(
            program: ProgramPath.own,
            environment: childEnvironment,
            storeArguments: [ChildCommandName.store] + shared,
            workerArguments: [ChildCommandName.worker] + web + metricsArguments(sockets) + shared,
            inquiryArguments: ["migrate", "--dry-run", "--json", "--data", directory.path],
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
                // Where a terminal was closed nobody asked for a deploy.
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

    private var childEnvironment: [String: String] {
        // One arena a thread costs memory and gives nothing to processes of few threads.
        // A trap is told by the runtime in one line; a look at the whole process would stop it for a minute, with its
        // sockets and whoever waits for it, and would print what its registers held.
        ProcessInfo.processInfo.environment
            .merging(["MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
            .merging(Logger.childEnvironment) { _, decided in decided }
            .merging(backups?.environment ?? [:]) { _, decided in decided }
            .merging(dataCheckEnvironment) { _, decided in decided }
            .merging(sessionEnvironment) { _, decided in decided }
            .filter { !PassedSockets.variables.contains($0.key) && $0.key != ServiceNotifier.variable }
    }
}

/// The commands by which the supervisor starts its children; not for people. A deploy lets the supervisor of one version
/// start the processes of the next: what is here stays as it is, and later versions understand it.
enum ChildCommandName {
    static let store = "store-process"
    static let worker = "worker-process"
}

extension Server {
    /// Health, readiness and metrics on a socket of their own, which is never busy with what browsers ask; nothing where
    /// there is no such socket.
    func watchServices(_ container: DependencyContainer, descriptor: CInt?) -> [any Service] {
        guard let descriptor else { return [] }
        return [
            HTTPService(
                descriptor: descriptor,
                responder: WatchResponder(
                    routes: HealthRoutes(application: app.name, container: container),
                    names: Set((settings.allowedHosts + [settings.publicURL?.authority].compactMap(\.self)).map(\.host))
                ),
                eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
            )
        ]
    }
}
