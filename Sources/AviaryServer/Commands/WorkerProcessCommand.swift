import ArgumentParser
import AviaryDomain
import AviaryRuntime
import Foundation
import ServiceLifecycle
import UnixSignals

/// A web worker: reads the store's file, writes through the store process.
struct WorkerProcessCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: ChildCommandName.worker, shouldDisplay: false)
    }

    @Option var host: String
    @Option var port: Int
    @Flag var demo = false
    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        let directory = try ServedDirectory(path: location.path)
        let server = Server(app: app, host: host, directory: directory, isDemo: demo)
        let container = try DependencyContainer(sharing: directory, of: app)
        ChildLife.onOrphaned { Foundation.exit(0) }
        let group = ServiceGroup(configuration: .ending(
            gracefullyOn: [.sigterm], logger: server.logger,
            services: [
                server.webService(container, descriptor: InheritedDescriptor.socket, port: port),
                ReadinessService { ChildLife.reportReady() },
            ]
        ))
        try await group.run()
        await container.close()
    }
}
