import ArgumentParser
import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import ServiceLifecycle

/// A web worker: reads the store's file, writes through the store process.
struct WorkerProcessCommand<App: AviaryApp>: AsyncParsableCommand, LoggingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: ChildCommandName.worker, shouldDisplay: false)
    }

    @Option var host: String
    @Option var port: Int
    /// Its socket is inherited; nil when there is none.
    @Option var metricsPort: Int?
    @Flag var demo = false
    @OptionGroup var address: AddressOptions
    @OptionGroup var location: DataOption

    var role: ProcessRole { .worker }

    func run() async throws {
        ChildLife.onOrphaned { _exit(0) }
        let app = try AppDefinition(App.self)
        let directory = try ServedDirectory(path: location.path)
        let server = Server(
            app: app, host: host, directory: directory, isDemo: demo, settings: try address.settings,
            sessionLimits: try SessionOptions.fromEnvironment
        )
        let container = try DependencyContainer(sharing: directory, of: app, as: .worker)
        let ending = EndingSignals()
        let group = ServiceGroup(
            configuration: .ending(
                logger: server.logger,
                services: [
                    MetricsReportingService(container: container),
                    server.webService(container, descriptor: InheritedDescriptor.socket, port: port, ending: ending),
                    ReadinessService { ChildLife.reportReady() },
                ] + server.watchServices(container, descriptor: metricsPort.map { _ in InheritedDescriptor.metrics })
            ))
        try await ending.run(group)
        await container.close()
    }
}
