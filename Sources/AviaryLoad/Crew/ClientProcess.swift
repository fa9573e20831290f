package import Foundation

/// A further client process: a crew of its own, told what to do on its standard input once it says that it is ready, and telling
/// on its standard output what it found.
package struct ClientProcess: Sendable {
    /// What the command is called that runs it.
    package static let commandName = "loadtest-client"
    private static let ready = "ready\n"

    private let child: ChildProcess

    // MARK: In the process itself

    /// - Parameters:
    ///   - scenarios: those of the application, by which the plan names one.
    ///   - read: waits for all that it is told.
    ///   - write: prints.
    package static func run(
        scenarios: [LoadScenario], read: () throws -> Data, write: (Data) throws -> Void
    ) async throws {
        try write(Data(ready.utf8))
        let plan = try JSONDecoder().decode(CrewPlan.self, from: try read())
        guard let scenario = (scenarios + LoadScenario.builtIn).first(where: { $0.name == plan.scenario }) else {
            throw LoadTestError("There is no scenario \(plan.scenario).")
        }
        let crew = Crew(plan, scenario: try scenario.weighted(plan.weights), ledger: Ledger(keepsTimes: plan.keepsTimes))
        let connections = Connections(count: plan.connections)
        let before = ProcessorTime.ofThisProcess
        let (measurements, unsent) = await crew.act(over: connections)
        let result = CrewResult(
            measurements: measurements, entries: crew.ledger.entries, incidents: crew.incidents.violations, unsent: unsent,
            processorSeconds: ProcessorTime.ofThisProcess - before
        )
        try await connections.shutdown()
        try write(try JSONEncoder().encode(result))
    }

    // MARK: In the process that started the run

    /// Starts so many, and returns when all of them wait to be told what to do: how long they take to come up is no part of
    /// what is measured.
    static func start(_ count: Int, executable: String) async throws -> [ClientProcess] {
        var clients: [ClientProcess] = []
        do {
            for _ in 0..<count {
                let child = ChildProcess(executable: executable, arguments: [commandName], isTold: true)
                try await child.start()
                clients.append(ClientProcess(child: child))
            }
            for client in clients { try await client.waitUntilReady() }
            return clients
        } catch {
            for client in clients { await client.child.signal(SIGKILL) }
            throw error
        }
    }

    private func waitUntilReady() async throws {
        let said = await killingOnCancel { await child.read { $0.hasSuffix(Self.ready) } }
        guard said == Self.ready else { throw LoadTestError("A client process could not be started; what it said stands above.") }
    }

    func act(_ plan: CrewPlan) async throws -> CrewResult {
        await child.send(try JSONEncoder().encode(plan))
        let text = await killingOnCancel { await child.read() }
        guard await child.exitStatus() == 0 else {
            throw LoadTestError("A client process ended before it was done; what it said stands above.")
        }
        return try JSONDecoder().decode(CrewResult.self, from: Data(text.utf8))
    }

    private func killingOnCancel<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: body) {
            Task { await child.signal(SIGKILL) }
        }
    }
}
