import ArgumentParser
import AviaryDomain
import AviaryRuntime
import Foundation

struct ServeCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Serve the admin.",
            discussion: """
                A supervisor keeps one store process and some web workers running. Only loopback addresses are served \
                as yet: there are no accounts, everyone is the admin "local".
                """
        )
    }

    @Option(help: "The loopback address to listen on.")
    var host: String = ProcessInfo.processInfo.environment["AVIARY_HOST"] ?? "127.0.0.1"

    @Option(help: "The port to listen on, 8080 unless given; 0 takes a free one.")
    var port: Int?

    @Option(help: "How many web workers to run; as many as there are processors unless given.")
    var workers: Int?

    @Flag(help: "Run the store and one web worker in a single process.")
    var inProcess = false

    @Flag(help: "Serve sample data from a temporary directory that is removed at the end.")
    var demo = false

    @OptionGroup var location: DataOption

    func validate() throws {
        if demo, location.data != nil {
            throw ValidationError("--demo serves a directory of its own: leave out --data, or leave out --demo.")
        }
        if inProcess, workers != nil {
            throw ValidationError("--in-process has one worker: leave out --workers, or leave out --in-process.")
        }
        _ = try portNumber
        _ = try workerCount
    }

    func run() async throws {
        let app = try AppDefinition(App.self)
        let temporary = try demo ? TemporaryDirectory(prefix: app.commandName) : nil
        defer { temporary?.remove() }
        let server = Server(
            app: app, host: host, directory: try ServedDirectory(locking: temporary?.path ?? location.path),
            isDemo: demo
        )
        let sockets = try server.open(port: try portNumber)
        if inProcess {
            try await server.runInProcess(on: sockets)
        } else {
            try await server.runSupervised(workers: try workerCount, on: sockets)
        }
    }

    private var portNumber: Int {
        get throws {
            try NumberSetting(flag: "--port", variable: "AVIARY_PORT", range: 0...65_535).value(port) ?? 8080
        }
    }

    private var workerCount: Int {
        get throws {
            try NumberSetting(flag: "--workers", variable: "AVIARY_WORKERS", range: 1...256).value(workers)
                ?? ProcessInfo.processInfo.activeProcessorCount
        }
    }
}
