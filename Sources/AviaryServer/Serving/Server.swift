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
    /// Nil where it takes no backups by itself.
    var backups: BackupSchedule?
    /// For the store process.
    var dataCheckEnvironment: [String: String] = [:]
    /// Seconds between two data checks; nil where it makes none by itself.
    var dataCheckInterval: TimeInterval?
    var sessionLimits = SessionLimits()
    /// The limits of sessions, for web workers.
    var sessionEnvironment: [String: String] = [:]

    var logger: Logger { .standard(app) }

    /// Says where it is served and, where nobody has an account yet, how to get in.
    ///
    /// - Parameter container: of this process; one is opened for the question unless given.
    func announce(port: Int, metricsPort: Int?, container: DependencyContainer? = nil) async {
        let shownHost = host.contains(":") ? "[\(host)]" : host
        let listening = "http://\(shownHost):\(port)"
        let link = await firstSignIn(container)
        if let publicURL = settings.publicURL {
            print("\(app.name) is served at \(publicURL)/admin by a proxy that passes on to \(listening)")
        } else {
            print("\(app.name) is served at \(listening)/admin")
        }
        if let metricsPort { print("Metrics are served at http://\(shownHost):\(metricsPort)/metrics") }
        if let link {
            let address = (settings.publicURL.map { "\($0)" } ?? listening) + link
            // What a service prints is kept in the journal, where others may read it.
            if ProcessInfo.processInfo.environment["JOURNAL_STREAM"] != nil {
                print(
                    "There are no accounts yet: run \(app.commandName) user add NAME --role admin --data \(directory.path)"
                )
            } else {
                print(isDemo ? "Sign in as demo: \(address)" : "Make the first account within an hour: \(address)")
            }
        }
        fflush(nil)
    }

    private func firstSignIn(_ own: DependencyContainer?) async -> String? {
        do {
            guard own == nil else { return try await own.map { FirstSignIn(container: $0, isDemo: isDemo) }?.path() }
            let container = try DependencyContainer(sharing: directory, of: app, as: .command)
            let path: Result<String?, any Error>
            do {
                path = .success(try await FirstSignIn(container: container, isDemo: isDemo).path())
            } catch {
                path = .failure(error)
            }
            await container.close()
            return try path.get()
        } catch {
            logger.warning("it could not be found out whether anybody has an account", error: error)
            return nil
        }
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
