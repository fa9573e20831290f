import AviaryIPC
import AviaryRuntime
import Foundation
import NIOPosix
import ServiceLifecycle
import UnixSignals

extension Server {
    /// Store and web worker in one process, with the same code and the same store socket.
    func runInProcess(on sockets: Sockets) async throws {
        let container = try DependencyContainer(
            owning: directory, of: app, onFatalError: Self.endAtOnce(app)
        )
        if isDemo { try await container.insertSampleData(app.sampleData) }
        let process = ProcessStatus.Process(pid: getpid(), restarts: 0, isReady: true)
        try await ServiceGroup(configuration: .ending(
            gracefullyOn: [.sigterm, .sigint], logger: logger,
            services: [
                StoreSocketService(container: container, descriptor: sockets.store.descriptor, logger: logger),
                webService(container, descriptor: sockets.web.descriptor, port: sockets.web.port),
                ReadinessService {
                    write(ProcessStatus(supervisor: getpid(), store: process, workers: [process]))
                    announce(port: sockets.web.port)
                },
            ]
        )).run()
        await container.close()
        directory.statusFile.remove()
    }

    func webService(_ container: DependencyContainer, descriptor: CInt, port: Int) -> any Service {
        HTTPService(
            descriptor: descriptor,
            responder: AdminResponder.make(name: app.name, container: container, routes: app.routes, host: host, port: port),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
        )
    }

    /// A store that cannot promise durability any more must not go on.
    static func endAtOnce(_ app: AppDefinition) -> @Sendable (String) -> Void {
        { reason in
            Terminal.say("\(app.commandName): the store failed and stops: \(reason)")
            exit(1)
        }
    }
}
