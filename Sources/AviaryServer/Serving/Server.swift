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
    let settings: AddressSettings

    var logger: Logger { .standard(app) }

    func announce(port: Int, metricsPort: Int?) {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let listening = "http://\(shownHost):\(port)"
        if let publicURL = settings.publicURL {
            print("\(app.name) is served at \(publicURL)/admin by a proxy that passes on to \(listening)")
            logger.warning("there are no accounts yet: whoever the proxy lets through is the admin")
        } else {
            print("\(app.name) is served at \(listening)/admin")
        }
        if let metricsPort { print("Metrics are served at http://\(shownHost):\(metricsPort)/metrics") }
        fflush(nil)
    }

    func write(_ status: ProcessStatus) {
        do {
            try directory.statusFile.write(status)
        } catch {
            logger.warning("the status file could not be written", error: error)
        }
    }
}

extension Logger {
    static func standard(_ app: AppDefinition) -> Logger {
        Logger(label: app.commandName)
    }
}
