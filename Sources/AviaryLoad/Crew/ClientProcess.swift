package import Foundation

/// A further client process: a crew of its own, told what to do on its standard input once it says that it is ready, and telling
/// on its standard output how it goes and what it found.
package struct ClientProcess: Sendable {
    /// What the command is called that runs it.
    package static let commandName = "loadtest-client"
    private static let ready = Data("ready".utf8)

    private let child: ChildProcess

    // MARK: In the process itself

    /// - Parameters:
    ///   - scenarios: those of the application, by which the plan names one.
    ///   - read: waits for all that it is told.
    ///   - write: prints.
    package static func run(
        scenarios: [LoadScenario], read: () throws -> Data, write: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let say = { @Sendable (message: Data) in try write(message + Data("\n".utf8)) }
        try say(ready)
        let plan = try JSONDecoder().decode(CrewPlan.self, from: try read())
        guard let scenario = (scenarios + LoadScenario.builtIn).first(where: { $0.name == plan.scenario }) else {
            throw LoadTestError("There is no scenario \(plan.scenario).")
        }
        let crew = Crew(
            plan, scenario: try scenario.weighted(plan.weights), ledger: Ledger(keepsTimes: plan.keepsTimes))
        let connections = Connections(count: plan.connections)
        let before = ProcessorTime.ofThisProcess
        let news = Task {
            while (try? await Task.sleep(for: LoadPart.lineInterval)) != nil {  // cancelled: the load is over
                try say(try JSONEncoder().encode(ClientMessage.recent(crew.recorder.takeRecent())))
            }
        }
        let (measurements, unsent) = await crew.act(over: connections)
        news.cancel()
        // Nobody reads any more, and so nobody waits for the result.
        try await news.value
        let result = CrewResult(
            measurements: measurements, entries: crew.ledger.entries, incidents: crew.incidents.violations,
            unsent: unsent,
            processorSeconds: ProcessorTime.ofThisProcess - before
        )
        await connections.shutdown()
        try say(try JSONEncoder().encode(ClientMessage.result(result)))
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
        while let line = await killingOnCancel({ await child.readLine() }) {
            if line == Self.ready { return }
            Self.pass(on: line)
        }
        throw LoadTestError("A client process could not be started; what it said stands above.")
    }

    /// What the application itself prints, where one expects a word of ours.
    private static func pass(on line: Data) {
        FileHandle.standardError.write(line + Data("\n".utf8))
    }

    /// - Parameter onRecent: told some twice a second how it goes.
    func act(_ plan: CrewPlan, onRecent: @Sendable (RecentFigures) -> Void) async throws -> CrewResult {
        await child.send(try JSONEncoder().encode(plan))
        var result: CrewResult?
        while let line = await killingOnCancel({ await child.readLine() }) {
            switch try? JSONDecoder().decode(ClientMessage.self, from: line) {
            case .recent(let figures)?: onRecent(figures)
            case .result(let found)?: result = found
            case nil: Self.pass(on: line)
            }
        }
        guard await child.exitStatus() == 0, let result else {
            throw LoadTestError("A client process ended before it was done; what it said stands above.")
        }
        return result
    }

    private func killingOnCancel<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        await withTaskCancellationHandler(operation: body) {
            Task { await child.signal(SIGKILL) }
        }
    }
}

/// What a further client process says, a line of JSON each.
enum ClientMessage: Sendable, Codable {
    /// Some twice a second while it works.
    case recent(RecentFigures)
    /// In the end.
    case result(CrewResult)
}
