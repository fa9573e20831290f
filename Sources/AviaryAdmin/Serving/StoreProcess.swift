import AviaryDomain
import AviaryIPC
import AviaryRuntime
package import Foundation
import Logging
import ServiceLifecycle

/// The store process, the only process that has the database open for writing.
package struct StoreProcess: Sendable {
    private let app: AppDefinition
    private let container: DependencyContainer

    /// Opens the store with the lock that the supervisor passes on.
    ///
    /// - Parameter isDemo: Whether an empty store gets the application's sample data.
    /// - Throws: `DataDirectoryError`, `StoreError`, or an error that describes a problem with the store's file.
    package init(of app: AppDefinition, at location: StoreLocation, isDemo: Bool) async throws {
        self.app = app
        container = try DependencyContainer(
            owning: try ServerDirectory(location, inheritedLock: InheritedDescriptor.lock),
            of: app, onFatalError: Server.terminateImmediately(app)
        )
        if isDemo, try await container.isEmpty() {
            try await container.insertSampleData(app.sampleChanges + [.insert(InitialSignIn.demoAccount)])
        }
    }

    /// Serves the store until a signal ends the process.
    ///
    /// - Parameters:
    ///   - backups: The schedule of the backups; nil when the server takes none by itself.
    ///   - dataCheckInterval: The time between two data checks in seconds; nil when the server makes none by itself.
    package func run(backups: BackupSchedule?, dataCheckInterval: TimeInterval?) async throws {
        let logger = Logger.standard(app)
        await container.resealSecrets(logger: logger)
        let group = ServiceGroup(
            configuration: .shutdown(
                logger: logger,
                services: [
                    StoreSocketService(container: container, descriptor: InheritedDescriptor.socket, logger: logger),
                    container.backupService(backups, of: app, logger: logger),
                    container.dataCheckService(every: dataCheckInterval, of: app, logger: logger),
                    ReadinessService { LivenessPipe.reportReady() },
                ]
            ))
        try await ShutdownSignals().run(group)
        await container.close()
    }
}

extension Server {
    /// Runs a web worker, which reads the store's file and writes through the store process, on the sockets that the
    /// supervisor passes on.
    ///
    /// - Parameters:
    ///   - hasMetrics: Whether the supervisor passes on a socket for metrics.
    ///   - startsWithStore: Whether the store process starts at the same time. The worker then waits for it, because the
    ///     store creates and changes the file that the worker reads.
    package func runWorker(port: Int, hasMetrics: Bool, startsWithStore: Bool) async throws {
        if startsWithStore { await waitForStore() }
        let container = try DependencyContainer(sharing: directory, of: app, as: .worker)
        let ending = ShutdownSignals()
        let group = ServiceGroup(
            configuration: .shutdown(
                logger: logger,
                services: [
                    MetricsReportingService(container: container),
                    webService(container, descriptor: InheritedDescriptor.socket, port: port, ending: ending),
                    ImportResumption(container: container, languages: app.languages, logger: logger),
                    ReadinessService { LivenessPipe.reportReady() },
                ] + monitoringServices(container, descriptor: hasMetrics ? InheritedDescriptor.metrics : nil)
            ))
        try await ending.run(group)
        await container.close()
    }

    /// Waits until the store answers on its socket, which the supervisor has open since before the store was started.
    private func waitForStore() async {
        let client = StoreClient(path: directory.socketPath, as: .worker, schema: app.schema, logger: logger)
        await client.waitUntilReady()
        client.close()
    }
}

/// The names of the commands by which the supervisor starts its children. They are not for people.
///
/// After a deploy, the supervisor of one version starts the processes of the next. These names therefore never
/// change, and later versions must understand them.
package enum ChildCommandName {
    package static let store = "store-process"
    package static let worker = "worker-process"
}

/// The location of this program.
enum ProgramPath {
    /// The path where a deploy puts the next program.
    ///
    /// It is the path by which this program was called, if it leads here, so that a symbolic link in it may be
    /// changed. Otherwise it is the program's file.
    static let own = path(called: CommandLine.arguments.first ?? "", file: file)

    static func path(called: String, file: String?) -> String {
        guard let file else { return absolute(called) }
        guard called.contains("/") else { return file }
        return resolved(absolute(called)) == file ? absolute(called) : file
    }

    private static var file: String? {
        // The target is nil where there is no /proc.
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let mark = " (deleted)"
        return target.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 }
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
