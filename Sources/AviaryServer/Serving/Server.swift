import AviaryDomain
import AviaryIPC
import AviaryRuntime
import Foundation
import Logging

/// Serves one data directory on one address: in this process, or by a family of processes.
struct Server: Sendable {
    let app: AppDefinition
    let host: String
    let directory: ServedDirectory
    let isDemo: Bool

    /// What a server holds as long as it lives, whichever processes come and go.
    struct Sockets: Sendable {
        let web: ListeningSocket
        let store: UnixListeningSocket
    }

    /// - Throws: `ListeningSocketError`.
    func open(port: Int) throws -> Sockets {
        let web = try ListeningSocket(host: host, port: port)
        guard let path = UnixSocketPath(directory.socketPath) else {
            throw DataDirectoryError(path: directory.path, reason: "cannot be opened.", advice: "Check that this user owns it.")
        }
        let store = try UnixListeningSocket(address: path.address)
        return Sockets(web: web, store: store)
    }

    var logger: Logger { .standard(app) }

    func announce(port: Int) {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        print("\(app.name) is served at http://\(shownHost):\(port)/admin")
        fflush(nil)
    }

    func write(_ status: ProcessStatus) {
        do {
            try directory.statusFile.write(status)
        } catch {
            logger.warning("the status file could not be written", metadata: ["error": "\(error)"])
        }
    }
}

extension Logger {
    static func standard(_ app: AppDefinition) -> Logger {
        var logger = Logger(label: app.commandName)
        logger.logLevel = .notice
        return logger
    }
}
