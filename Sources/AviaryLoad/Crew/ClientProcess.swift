import AsyncHTTPClient
package import Foundation

/// A further client process: a crew of its own, told what to do on its standard input and telling on its standard output what
/// it found.
package enum ClientProcess {
    /// What the command is called that runs it.
    package static let commandName = "loadtest-client"

    /// In the process itself.
    ///
    /// - Parameter scenarios: those of the application, by which the plan names one.
    /// - Returns: what to print.
    package static func run(_ input: Data, scenarios: [LoadScenario]) async throws -> Data {
        let plan = try JSONDecoder().decode(CrewPlan.self, from: input)
        guard let scenario = (scenarios + LoadScenario.builtIn).first(where: { $0.name == plan.scenario }) else {
            throw LoadTestError("There is no scenario \(plan.scenario).")
        }
        let crew = Crew(plan, scenario: try scenario.weighted(plan.weights))
        let client = HTTPClient.forLoad(connections: plan.connections)
        let before = ProcessorTime.ofThisProcess
        let (measurements, unsent) = await crew.act(over: client)
        let result = CrewResult(
            measurements: measurements, entries: crew.ledger.entries, incidents: crew.incidents.violations, unsent: unsent,
            processorSeconds: ProcessorTime.ofThisProcess - before
        )
        try await client.shutdown()
        return try JSONEncoder().encode(result)
    }

    /// From the process that started the run.
    static func start(_ plan: CrewPlan, executable: String) async throws -> CrewResult {
        let child = ChildProcess(executable: executable, arguments: [commandName], input: try JSONEncoder().encode(plan))
        try await child.start()
        return try await withTaskCancellationHandler {
            let text = await child.read()
            guard await child.exitStatus() == 0 else {
                throw LoadTestError("A client process ended before it was done; what it said stands above.")
            }
            return try JSONDecoder().decode(CrewResult.self, from: Data(text.utf8))
        } onCancel: {
            Task { await child.signal(SIGKILL) }
        }
    }
}
