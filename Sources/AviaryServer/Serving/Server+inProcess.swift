import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

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
