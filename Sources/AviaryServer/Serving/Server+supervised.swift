import AviaryRuntime
import Foundation
import UnixSignals

extension Server {
    /// A supervisor, one store process and the workers, until a signal ends them.
    func runSupervised(workers: Int, on sockets: Sockets) async throws {
        let port = sockets.web.port
        let shared = ["--data", directory.path] + (isDemo ? ["--demo"] : [])
        let plan = ProcessPlan(
            program: Self.program,
            // One arena a thread costs memory and gives nothing to processes of few threads.
            environment: ProcessInfo.processInfo.environment.merging(["MALLOC_ARENA_MAX": "2"]) { own, _ in own },
            storeArguments: [ChildCommandName.store] + shared,
            workerArguments: [ChildCommandName.worker, "--host", host, "--port", String(port)] + shared,
            workers: workers, storeSocket: sockets.store.descriptor, workerSocket: sockets.web.descriptor,
            storeLock: directory.lockDescriptor
        )
        let supervisor = try Supervisor(
            plan: plan, logger: logger, onServing: { announce(port: port) }, onChange: { write($0) }
        )
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let ending = Task {
            for await _ in signals { await supervisor.end() }
        }
        defer {
            ending.cancel()
            directory.statusFile.remove()
        }
        try await supervisor.run()
    }

    /// The file of this program, wherever it was found and whatever it was called by.
    private static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))  // no /proc: as it was called
            ?? CommandLine.arguments.first ?? ""
    }
}

/// The commands by which the supervisor starts its children; not for people.
enum ChildCommandName {
    static let store = "store-process"
    static let worker = "worker-process"
}
