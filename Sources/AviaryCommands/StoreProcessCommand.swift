import ArgumentParser
import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging
import ServiceLifecycle

/// The store process, the only process that has the database open for writing.
struct StoreProcessCommand<App: AviaryApp>: AsyncParsableCommand, LoggingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: ChildCommandName.store, shouldDisplay: false)
    }

    @Flag var demo = false
    @OptionGroup var location: DataOption

    var role: ProcessRole { .store }

    func run() async throws {
        // This must be the first step. Until the process handles signals, SIGTERM simply ends it, and it has not
        // acknowledged anything yet.
        ChildLife.onOrphaned { kill(getpid(), SIGTERM) }
        let app = try AppDefinition(App.self)
        let container: DependencyContainer
        do {
            container = try DependencyContainer(
                owning: try ServedDirectory(path: location.path, inheritedLock: InheritedDescriptor.lock),
                of: app, onFatalError: Server.endAtOnce(app)
            )
            if demo, try await container.isEmpty() {
                try await container.insertSampleData(app.sampleChanges + [.insert(FirstSignIn.demoAccount)])
            }
        } catch {
            Terminal.say("\(app.commandName): \(error)")
            // A restart does not help against a wrong schema or a file that is not a store. It may help against a
            // full disk.
            throw ExitCode(
                DependencyContainer.mayPass(error, data: location.path)
                    ? ProcessPlan.postponementExitCode : ProcessPlan.refusalExitCode
            )
        }
        let logger = Logger.standard(app)
        await container.resealSecrets(logger: logger)
        let group = ServiceGroup(
            configuration: .ending(
                logger: logger,
                services: [
                    StoreSocketService(container: container, descriptor: InheritedDescriptor.socket, logger: logger),
                    container.backupService(try BackupOptions.fromEnvironment, of: app, logger: logger),
                    container.dataCheckService(
                        every: try DataCheckOptions.fromEnvironment, of: app, logger: logger),
                    ReadinessService { ChildLife.reportReady() },
                ]
            ))
        try await EndingSignals().run(group)
        await container.close()
    }
}

/// A web worker, which reads the store's file and writes through the store process.
struct WorkerProcessCommand<App: AviaryApp>: AsyncParsableCommand, LoggingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: ChildCommandName.worker, shouldDisplay: false)
    }

    @Option var host: String
    @Option var port: Int
    /// The port of the inherited socket for metrics, or nil if there is none.
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
