import ArgumentParser
import AviaryAdmin
import AviaryRuntime
import Foundation

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
        LivenessPipe.onOrphaned { kill(getpid(), SIGTERM) }
        let app = try AppDefinition(App.self)
        let store: StoreProcess
        do {
            store = try await StoreProcess(of: app, at: location.store, isDemo: demo)
        } catch {
            Terminal.printLine("\(app.commandName): \(error)")
            // A restart does not help against a wrong schema or a file that is not a store. It may help against a
            // full disk.
            throw ExitCode(
                DependencyContainer.isTransient(error, at: try location.store)
                    ? ProcessPlan.postponementExitCode : ProcessPlan.refusalExitCode
            )
        }
        try await store.run(
            backups: try BackupOptions.fromEnvironment, dataCheckInterval: try DataCheckOptions.fromEnvironment)
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
    /// Indicates whether the store process starts at the same time.
    @Flag var withStore = false
    @OptionGroup var address: AddressOptions
    @OptionGroup var location: DataOption

    var role: ProcessRole { .worker }

    func run() async throws {
        LivenessPipe.onOrphaned { _exit(0) }
        let app = try AppDefinition(App.self)
        let directory = try ServerDirectory(location.store)
        let server = Server(
            app: app, host: host, directory: directory, isDemo: demo, settings: try address.settings,
            sessionLimits: try SessionOptions.fromEnvironment
        )
        try await server.runWorker(port: port, hasMetrics: metricsPort != nil, startsWithStore: withStore)
    }
}
