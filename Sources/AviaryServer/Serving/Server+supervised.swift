import AviaryRuntime
import Foundation
import Logging
import UnixSignals

extension Server {
    /// A supervisor, one store process and the workers, until a signal ends them.
    func runSupervised(workers: Int, on sockets: Sockets) async throws {
        let shared = ["--data", directory.path] + (isDemo ? ["--demo"] : [])
        let web = ["--host", host, "--port", String(sockets.web.port)] + settings.arguments
        let plan = ProcessPlan(
            program: ProgramPath.own,
            environment: childEnvironment,
            storeArguments: [ChildCommandName.store] + shared,
            workerArguments: [ChildCommandName.worker] + web + metricsArguments(sockets) + shared,
            inquiryArguments: ["migrate", "--dry-run", "--json", "--data", directory.path],
            workers: workers, storeSocket: sockets.store.descriptor, workerSocket: sockets.web.descriptor,
            metricsSocket: sockets.metrics?.descriptor, storeLock: directory.lockDescriptor
        )
        let supervisor = try Supervisor(
            plan: plan, logger: logger, service: sockets.service,
            onServing: { Task { await announce(port: sockets.web.port, metricsPort: sockets.metrics?.port) } },
            onChange: { try directory.statusFile.write($0) }
        )
        let terminal = ControllingTerminal()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup)
        let listening = Task {
            for await signal in signals {
                switch signal {
                // Where a terminal was closed nobody asked for a deploy.
                case .sighup where !terminal.hasHungUp: supervisor.reload()
                case .sigint: supervisor.end(atOnce: true)
                default: supervisor.end()
                }
            }
        }
        defer {
            listening.cancel()
            directory.statusFile.remove()
        }
        try await supervisor.run()
    }

    private func metricsArguments(_ sockets: Sockets) -> [String] {
        sockets.metrics.map { ["--metrics-port", String($0.port)] } ?? []
    }

    private var childEnvironment: [String: String] {
        // One arena a thread costs memory and gives nothing to processes of few threads.
        // A trap is told by the runtime in one line; a look at the whole process would stop it for a minute, with its
        // sockets and whoever waits for it, and would print what its registers held.
        ProcessInfo.processInfo.environment
            .merging(["MALLOC_ARENA_MAX": "2", "SWIFT_BACKTRACE": "enable=no"]) { own, _ in own }
            .merging(Logger.childEnvironment) { _, decided in decided }
            .merging(backups?.environment ?? [:]) { _, decided in decided }
            .merging(dataCheckEnvironment) { _, decided in decided }
            .merging(sessionEnvironment) { _, decided in decided }
            .filter { !PassedSockets.variables.contains($0.key) && $0.key != ServiceNotifier.variable }
    }
}

/// The commands by which the supervisor starts its children; not for people. A deploy lets the supervisor of one version
/// start the processes of the next: what is here stays as it is, and later versions understand it.
enum ChildCommandName {
    static let store = "store-process"
    static let worker = "worker-process"
}
