import ArgumentParser
import AviaryDomain
import AviaryRuntime
import Foundation
import Logging

struct ServeCommand<App: AviaryApp>: AsyncParsableCommand, LoggingCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Serve the admin.",
            discussion: """
                A supervisor keeps one store process and several web workers running. When nobody has an account, the command \
                prints a link that creates the first one. An address that other machines reach is served only when \
                check --deploy finds nothing dangerous.

                SIGTERM stops all processes after they finish their work, SIGINT without waiting for further requests. SIGHUP \
                replaces the store and the workers one after the other by the program on disk; with --in-process it only logs \
                that it does not. A socket that systemd passes replaces --host and --port.
                """
        )
    }

    @Option(help: "The address to listen on, 127.0.0.1 by default.")
    var host: String?

    @Option(help: "The port to listen on, 8080 by default; 0 takes a free one.")
    var port: Int?

    @Option(help: "A separate port for /metrics on the same address; 0 takes a free one.")
    var metricsPort: Int?

    @Option(help: "The number of web workers, one for each processor by default.")
    var workers: Int?

    @Flag(help: "Run the store and one web worker in a single process.")
    var inProcess = false

    @Flag(help: "Serve sample data from a temporary directory that is removed at the end.")
    var demo = false

    @OptionGroup var address: AddressOptions
    @OptionGroup var backups: BackupOptions
    @OptionGroup var dataChecks: DataCheckOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var location: DataOption
    @OptionGroup var log: LogOptions

    var role: ProcessRole { inProcess ? .server : .supervisor }
    var logSettings: LogSettings { get throws { try log.settings } }

    func validate() throws {
        if demo, location.data != nil {
            throw ValidationError("--demo serves a directory of its own: leave out --data, or leave out --demo.")
        }
        if inProcess, workers != nil {
            throw ValidationError("--in-process has one worker: leave out --workers, or leave out --in-process.")
        }
        _ = try portNumber
        guard ListeningSocket.isLoopback(hostName) != nil else {
            throw ValidationError(ListeningSocketError.noAddress(hostName).description)
        }
        let metrics = try metricsPortNumber
        if let metrics, metrics != 0, metrics == (try portNumber) {
            throw ValidationError("--metrics-port and --port are both \(metrics). Give the metrics another port.")
        }
        _ = try MetricsToken()
        _ = try workerCount
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let temporary = try demo ? TemporaryDirectory(prefix: app.commandName) : nil
        defer { temporary?.remove() }
        let directory = try ServedDirectory(locking: temporary?.path ?? location.path)
        if directory.isOpenToOthers {
            Logger.standard(app).warning(
                "other users may write to the data directory, and could put another store in the place of this one",
                metadata: ["directory": "\(directory.path)", "advice": "chmod 700"]
            )
        }
        try await checkDeployment(of: app, in: directory, host: hostName)
        let sockets = try Server.Sockets(
            host: hostName, port: try portNumber, metricsPort: try metricsPortNumber, directory: directory,
            logger: .standard(app)
        )
        // What a service manager passes may listen anywhere.
        for socket in [sockets.web] + [sockets.metrics].compactMap({ $0 }) {
            try await checkDeployment(of: app, in: directory, host: socket.host)
        }
        let server = Server(
            app: app, host: sockets.web.host, directory: directory, isDemo: demo, settings: try address.settings,
            backups: try backups.schedule, dataCheckEnvironment: try dataChecks.environment,
            dataCheckInterval: try dataChecks.interval, sessionLimits: try sessions.limits,
            sessionEnvironment: try sessions.environment
        )
        if inProcess {
            try await server.runInProcess(on: sockets)
        } else {
            try await server.runSupervised(workers: try workerCount, on: sockets)
        }
    }

    /// Before others can reach it, what is dangerous has to be mended.
    ///
    /// - Throws: ``DeploymentRefusal``.
    private func checkDeployment(of app: AppDefinition, in directory: ServedDirectory, host: String) async throws {
        guard ListeningSocket.isLoopback(host) != true else { return }
        let facts = await DeploymentFacts(
            of: app, data: directory.path, host: host, settings: try address.settings,
            metricsPort: try metricsPortNumber
        )
        let dangers = DeploymentCheck(facts).dangers
        guard dangers.isEmpty else { throw DeploymentRefusal(dangers: dangers) }
    }

    private var hostName: String {
        TextSetting(flag: "--host", variable: "AVIARY_HOST").value(host)?.text ?? "127.0.0.1"
    }

    private var portNumber: Int {
        get throws {
            try NumberSetting(flag: "--port", variable: "AVIARY_PORT", range: 0...65_535).value(port) ?? 8080
        }
    }

    private var metricsPortNumber: Int? {
        get throws {
            try NumberSetting(flag: "--metrics-port", variable: "AVIARY_METRICS_PORT", range: 0...65_535).value(
                metricsPort)
        }
    }

    private var workerCount: Int {
        get throws {
            try NumberSetting(flag: "--workers", variable: "AVIARY_WORKERS", range: WorkerCount.range).value(workers)
                ?? WorkerCount.usual
        }
    }
}
