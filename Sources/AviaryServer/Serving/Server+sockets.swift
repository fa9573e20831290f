import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging

extension Server {
    /// What a server holds as long as it lives, whichever processes come and go.
    struct Sockets: Sendable {
        let web: ListeningSocket
        let metrics: ListeningSocket?
        let store: UnixListeningSocket
        /// Whoever started the server and wants to know how it is.
        let service: ServiceNotifier

        /// Those that a service manager passes; the others are opened.
        ///
        /// - Parameters:
        ///   - metricsPort: on the same address; nil when metrics have no port of their own.
        ///   - directory: of which the lock is held.
        /// - Throws: `ListeningSocketError`.
        init(host: String, port: Int, metricsPort: Int?, directory: ServedDirectory, logger: Logger) throws {
            let environment = ProcessInfo.processInfo.environment
            let passed = try PassedSockets(environment: environment, process: getpid())
            if !passed.unused.isEmpty {
                logger.warning(
                    "of the sockets that were passed only one is served; name it web",
                    metadata: ["unused": "\(passed.unused.joined(separator: ", "))"]
                )
            }
            let web =
                try passed.web.map { try ListeningSocket(adopting: $0) } ?? ListeningSocket(host: host, port: port)
            self.web = web
            metrics =
                try passed.metrics.map { try ListeningSocket(adopting: $0) }
                ?? metricsPort.map { try ListeningSocket(host: web.host, port: $0, flag: "--metrics-port") }
            guard let path = UnixSocketPath(directory.socketPath) else {
                throw DataDirectoryError(
                    path: directory.path, reason: "cannot be opened.", advice: "Check that this user owns it."
                )
            }
            store = try UnixListeningSocket(address: path.address)
            service = ServiceNotifier(address: environment[ServiceNotifier.variable])
        }
    }
}
