import AviaryIPC
import AviaryRuntime
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle

extension Server {
    /// Store and web worker in one process, with the same code and the same store socket.
    func runInProcess(on sockets: Sockets) async throws {
        let container = try DependencyContainer(
            owning: directory, of: app, onFatalError: Self.endAtOnce(app)
        )
        if isDemo { try await container.insertSampleData(app.sampleChanges) }
        let process = ProcessStatus.Process(pid: getpid(), restarts: 0, isReady: true)
        let ending = EndingSignals()
        try await ending.run(ServiceGroup(configuration: .ending(
            logger: logger,
            services: [
                StoreSocketService(container: container, descriptor: sockets.store.descriptor, logger: logger),
                webService(container, descriptor: sockets.web.descriptor, port: sockets.web.port, ending: ending),
                ReadinessService {
                    write(ProcessStatus(supervisor: getpid(), store: process, workers: [process]))
                    announce(port: sockets.web.port, metricsPort: sockets.metrics?.port)
                    sockets.service.notify(.ready, logger)
                },
            ] + watchServices(container, descriptor: sockets.metrics?.descriptor)
        )))
        sockets.service.notify(.stopping, logger)
        await container.close()
        directory.statusFile.remove()
    }

    func webService(_ container: DependencyContainer, descriptor: CInt, port: Int, ending: EndingSignals) -> any Service {
        HTTPService(
            descriptor: descriptor,
            responder: AdminResponder.make(
                name: app.name, container: container, routes: app.routes, host: host, port: port, settings: settings
            ),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger, metrics: ProcessMetrics.http,
            linger: { ending.linger }
        )
    }

    /// A store that cannot promise durability any more must not go on.
    static func endAtOnce(_ app: AppDefinition) -> @Sendable (String) -> Void {
        { reason in
            Logger.standard(app).critical("the store failed and stops", metadata: ["error": "\(reason)"])
            exit(1)
        }
    }
}
