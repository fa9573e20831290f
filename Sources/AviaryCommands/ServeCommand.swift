import ArgumentParser
import AviaryAdmin
import AviaryDomain
import AviaryHTTP
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

    @Flag(
        help:
            "Serve sample data from a temporary directory, or from the empty database that --database names."
    )
    var demo = false

    @OptionGroup var address: AddressOptions
    @OptionGroup var backups: BackupOptions
    @OptionGroup var dataChecks: DataCheckOptions
    @OptionGroup var history: HistoryOptions
    @OptionGroup var sessions: SessionOptions
    @OptionGroup var location: DataOption
    @OptionGroup var log: LogOptions

    var role: ProcessRole { inProcess ? .server : .supervisor }
    var logSettings: LogSettings { get throws { try log.settings } }

    func validate() throws {
        if demo, location.data != nil {
            throw ValidationError("--demo uses a temporary directory. Remove --data or --demo.")
        }
        if inProcess, workers != nil {
            throw ValidationError("--in-process has one worker. Remove --workers or --in-process.")
        }
        _ = try portNumber
        guard ListeningSocket.isLoopback(hostName) != nil else {
            throw ValidationError(ListeningSocketError.noAddress(hostName).description)
        }
        let metrics = try metricsPortNumber
        if let metrics, metrics != 0, metrics == (try portNumber) {
            throw ValidationError("--metrics-port and --port are both \(metrics). Choose another port for the metrics.")
        }
        _ = try MetricsToken()
        _ = try workerCount
    }

    func run() async throws {
        let limits = try history.limits
        let app = try AppDefinition(App.self).keepingHistory(limits)
        let temporary = try demo ? TemporaryDirectory(prefix: app.commandName) : nil
        defer { temporary?.remove() }
        let directory = try ServerDirectory(
            locking: temporary.map { try location.demo(in: $0.path) } ?? location.store)
        try await directory.location.checkDatabase()
        if directory.isOpenToOthers {
            Logger.standard(app).warning(
                "other users can write to the data directory and could replace the store",
                metadata: ["directory": "\(directory.path)", "advice": "chmod 700"]
            )
        }
        for warning in app.roles.warnings(in: app.schema) {
            Logger.standard(app).warning("\(warning.text)", metadata: ["advice": "\(warning.advice)"])
        }
        try await checkDeployment(of: app, in: directory, host: hostName)
        let sockets = try Server.Sockets(
            host: hostName, port: try portNumber, metricsPort: try metricsPortNumber, directory: directory,
            logger: .standard(app)
        )
        // A socket from a service manager may listen on any address.
        for socket in [sockets.web] + [sockets.metrics].compactMap({ $0 }) {
            try await checkDeployment(of: app, in: directory, host: socket.host)
        }
        let server = Server(
            app: app, host: sockets.web.host, directory: directory, isDemo: demo, settings: try address.settings,
            backups: try backups.schedule,
            dataCheckEnvironment: try dataChecks.environment.merging(limits.environment) { own, _ in own },
            dataCheckInterval: try dataChecks.interval, sessionLimits: try sessions.limits,
            sessionEnvironment: try sessions.environment
        )
        if inProcess {
            try await server.runInProcess(on: sockets)
        } else {
            try await server.runSupervised(workers: try workerCount, on: sockets)
        }
    }

    /// Rejects a server that other machines could reach with a dangerous setting.
    ///
    /// - Throws: ``DeploymentError``.
    private func checkDeployment(of app: AppDefinition, in directory: ServerDirectory, host: String) async throws {
        guard ListeningSocket.isLoopback(host) != true else { return }
        let facts = await DeploymentEnvironment(
            of: app, at: directory.location, host: host, settings: try address.settings,
            metricsPort: try metricsPortNumber
        )
        let dangers = DeploymentCheck(facts).dangers
        guard dangers.isEmpty else { throw DeploymentError(dangers: dangers) }
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

/// The options for the addresses that browsers use to reach the server.
struct AddressOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The address that browsers use when a proxy with TLS is in front, such as https://zoo.example.org.",
            valueName: "url"
        ))
    var publicURL: String?

    @Option(
        name: .customLong("allowed-host"),
        help: ArgumentHelp("A further host name to answer; can be repeated.", valueName: "name"))
    var allowedHosts: [String] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: ArgumentHelp(
            "Addresses of proxies whose X-Forwarded-For names the client in the log, such as 127.0.0.1 or 10.0.0.0/8; can be repeated.",
            valueName: "cidr"
        ))
    var trustedProxies: [String] = []

    func validate() throws {
        _ = try settings
    }

    /// The settings from the flags, or else from the environment.
    var settings: AddressSettings {
        get throws {
            let url = TextSetting(flag: "--public-url", variable: "AVIARY_PUBLIC_URL").value(publicURL)
            let hosts = TextSetting(flag: "--allowed-host", variable: "AVIARY_ALLOWED_HOST").values(allowedHosts)
            let proxies = TextSetting(flag: "--trusted-proxy", variable: "AVIARY_TRUSTED_PROXY").values(trustedProxies)
            return AddressSettings(
                publicURL: try url.map { try $0.checked { text throws(AddressError) in try PublicURL(text) } },
                allowedHosts: try hosts.map { try $0.checked(Self.host) },
                trustedProxies: try proxies.map {
                    try $0.checked { text throws(AddressError) in try AddressRange(text) }
                }
            )
        }
    }

    private static func host(_ text: String) throws(AddressError) -> Authority {
        guard let authority = Authority(text) else {
            throw AddressError(
                text, "is not a host name. Enter one such as zoo.example.org or zoo.example.org:8443, without a scheme."
            )
        }
        return authority
    }
}

/// The permitted numbers of web workers, and the default.
package enum WorkerCount {
    /// The permitted numbers.
    package static let range = 1...256
    /// The number of processors.
    package static var usual: Int { ProcessInfo.processInfo.activeProcessorCount }
}

/// A temporary directory that its user removes at the end.
struct TemporaryDirectory: Sendable {
    let path: String

    init(prefix: String) throws(DataDirectoryError) {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("\(prefix)-\(UUID().canonicalText)").path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DataDirectoryError(
                path: path, reason: "cannot be created.", advice: "Make the temporary directory writable.")
        }
    }

    func remove() {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            Terminal.printLine("The temporary directory \(path) could not be removed.")
        }
    }
}

/// The option for the interval at which a server checks its data by itself.
struct DataCheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Check totals, text indexes, links and history every so often, as 12h or 7d, 1d unless given; off never does.",
            valueName: "duration"))
    var checkDataEvery: String?

    func validate() throws { _ = try interval }

    /// The interval in seconds, or nil for no checks.
    var interval: TimeInterval? {
        get throws {
            let given = TextSetting(flag: "--check-data-every", variable: DataCheckService.variable).value(
                checkDataEvery)
            guard let given else { return DataCheckService.standardInterval }
            return given.text == "off" ? nil : try BackupOptions.interval(given)
        }
    }

    /// The variable that passes the interval to the store process, like ``BackupSchedule/environment``.
    var environment: [String: String] {
        get throws { [DataCheckService.variable: try interval.map { "\($0)s" } ?? "off"] }
    }

    /// The interval from the environment alone.
    static var fromEnvironment: TimeInterval? {
        get throws { try parse([]).interval }
    }
}
