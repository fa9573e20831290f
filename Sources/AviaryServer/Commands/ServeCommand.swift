import ArgumentParser
import AviaryDomain
import AviaryRuntime
import Foundation
import Logging
import NIOPosix
import ServiceLifecycle
import UnixSignals

struct ServeCommand<App: AviaryApp>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "serve", abstract: "Serve the admin.",
            discussion: "Only loopback addresses are served as yet: there are no accounts, everyone is the admin \"local\"."
        )
    }

    @Option(help: "The loopback address to listen on.")
    var host: String = ProcessInfo.processInfo.environment["AVIARY_HOST"] ?? "127.0.0.1"

    @Option(help: "The port to listen on; 0 takes a free one.")
    var port: Int = ProcessInfo.processInfo.environment["AVIARY_PORT"].flatMap(Int.init) ?? 8080

    @Flag(help: "Run the store and the web worker in one process.")
    var inProcess = false

    @Flag(help: "Serve sample data from a temporary directory that is removed at the end.")
    var demo = false

    @OptionGroup var location: DataOption

    func run() async throws {
        let app = try AppDefinition(App.self)
        let socket = try ListeningSocket(host: host, port: port)
        let directory = try demo ? TemporaryDirectory(prefix: app.commandName) : nil
        defer { directory?.remove() }
        let container = try DependencyContainer(
            data: directory?.path ?? location.data, schema: app.schema, configurations: app.configurations,
            onFatalError: { reason in
                // A store that cannot promise durability any more must not go on.
                Terminal.say("\(App.commandName): the store failed and stops: \(reason)")
                Foundation.exit(1)
            }
        )
        if demo { try await container.insertSampleData(app.sampleData) }
        try await serve(app, container: container, socket: socket)
        await container.close()
    }

    private func serve(_ app: AppDefinition, container: DependencyContainer, socket: ListeningSocket) async throws {
        var logger = Logger(label: app.commandName)
        logger.logLevel = .notice
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let service = HTTPService(
            descriptor: socket.descriptor,
            responder: AdminResponder.make(name: app.name, container: container, host: host, port: socket.port),
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
        )
        print("\(app.name) is served at http://\(shownHost):\(socket.port)/admin")
        fflush(nil)
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: service)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}
