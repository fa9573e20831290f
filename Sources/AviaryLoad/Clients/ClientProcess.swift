package import Foundation

/// An additional client process, which runs a crew of its own.
///
/// The process prints a line when it is ready, then reads its plan from standard input. It prints its progress and
/// its result to standard output.
package struct ClientProcess: Sendable {
    /// The name of the command that runs the process.
    package static let commandName = "loadtest-client"
    private static let ready = Data("ready".utf8)

    private let child: LaunchedProcess

    // MARK: In the process itself

    /// Runs the client in this process.
    ///
    /// - Parameters:
    ///   - scenarios: The scenarios of the application, among which the plan names one.
    ///   - read: A closure that waits for the plan and returns it.
    ///   - write: A closure that prints a message.
    package static func run(
        scenarios: [LoadScenario], read: () throws -> Data, write: @escaping @Sendable (Data) throws -> Void
    ) async throws {
        let say = { @Sendable (message: Data) in try write(message + Data("\n".utf8)) }
        try say(ready)
        let plan = try JSONDecoder().decode(VirtualUserPlan.self, from: try read())
        guard let scenario = (scenarios + LoadScenario.builtIn).first(where: { $0.name == plan.scenario }) else {
            throw LoadTestError("Unknown scenario \(plan.scenario).")
        }
        let crew = VirtualUserGroup(
            plan, scenario: try scenario.weighted(plan.weights), ledger: Ledger(keepsTimes: plan.keepsTimes))
        let connections = Connections(count: plan.connections)
        let before = ProcessorTime.ofThisProcess
        let news = Task {
            while (try? await Task.sleep(for: LoadPart.lineInterval)) != nil {  // cancelled: the load is over
                try say(try JSONEncoder().encode(ClientMessage.recent(crew.recorder.drainRecent())))
            }
        }
        let (measurements, unsent) = await crew.act(over: connections)
        news.cancel()
        // A failed progress message means that the parent process no longer reads, so nobody waits for the result.
        try await news.value
        let result = VirtualUserResult(
            measurements: measurements, entries: crew.ledger.entries, incidents: crew.incidents.violations,
            unsent: unsent,
            processorSeconds: ProcessorTime.ofThisProcess - before
        )
        await connections.shutdown()
        try say(try JSONEncoder().encode(ClientMessage.result(result)))
    }

    // MARK: In the process that started the run

    /// Starts client processes, and returns when all of them are ready for their plan.
    ///
    /// The time that they take to start is not part of the measurement.
    static func start(_ count: Int, executable: String) async throws -> [ClientProcess] {
        var clients: [ClientProcess] = []
        do {
            for _ in 0..<count {
                let child = LaunchedProcess(executable: executable, arguments: [commandName], hasInput: true)
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

    /// Forwards a line that the application itself prints to standard error.
    private static func pass(on line: Data) {
        FileHandle.standardError.write(line + Data("\n".utf8))
    }

    /// Runs a plan in the client process and returns the result.
    ///
    /// - Parameter onRecent: A closure that receives progress figures about twice a second.
    func act(_ plan: VirtualUserPlan, onRecent: @Sendable (RecentStatistics) -> Void) async throws -> VirtualUserResult
    {
        await child.send(try JSONEncoder().encode(plan))
        var result: VirtualUserResult?
        while let line = await killingOnCancel({ await child.readLine() }) {
            // A line that is no message is handled below.
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

/// A message of an additional client process, encoded as one line of JSON.
enum ClientMessage: Sendable, Codable {
    /// Progress figures, sent about twice a second during the load.
    case recent(RecentStatistics)
    /// The result, sent at the end.
    case result(VirtualUserResult)
}

/// The resources that the client used, which show whether the client was the bottleneck.
struct ClientUtilization: Sendable {
    /// The number of client processes.
    let processes: Int
    /// The average number of processors that the client used, such as 1.5 of 2.
    let processors: Double
    /// The share of the whole machine that was busy, 0 to 1; nil when the system does not report it.
    let machineShare: Double?
    let cores: Int
    /// The 99th percentile of the client's delay in milliseconds, measured a hundred times a second; nil when
    /// nothing was measured.
    let lateness: Double?

    enum Verdict: Sendable, Hashable {
        case fine
        /// A client that was late although the machine had idle time. More processes may help.
        case clientIsLate
        /// A client that used the larger part of a machine without idle time.
        case clientTakesMost
        /// A client that used the smaller part of a machine without idle time.
        case machineIsFull
    }

    /// The delay in milliseconds above which the client is late: longer than an idle machine ever lets a task wait.
    private static let mostLateness = 10.0
    private static let full = 0.92

    var verdict: Verdict {
        let share = processors / Double(cores)
        if let machineShare, machineShare >= Self.full {
            return share >= machineShare / 2 ? .clientTakesMost : .machineIsFull
        }
        if let lateness, lateness > Self.mostLateness { return .clientIsLate }
        return .fine
    }

    var isBottleneck: Bool { verdict == .clientIsLate || verdict == .clientTakesMost }

    /// Returns a number of processes that may suffice; nil when no more are allowed or when more would not help.
    ///
    /// - Parameter most: The maximum number of processes.
    func moreProcesses(most: Int) -> Int? {
        verdict == .clientIsLate && processes < most ? min(2 * processes, most) : nil
    }

    /// A recommendation for the user; nil when there is none.
    var advice: String? {
        let taken = "\(NumberFormat.decimal(processors, digits: 1)) of \(cores) processors"
        switch verdict {
        case .fine: return nil
        case .clientIsLate:
            return
                "The client is the bottleneck: it came \(NumberFormat.milliseconds(lateness ?? 0)) late (p99) to what was due. Add --processes, or load from another machine."
        case .clientTakesMost:
            return
                "The client is the bottleneck: it took \(taken), more than the server was left. Load from another machine."
        case .machineIsFull:
            return
                "The machine was at work without a pause, of which the client took \(taken): the figures are of both together."
        }
    }
}

/// Processor times in seconds.
enum ProcessorTime {
    #if canImport(Glibc)
        private static let own = Int32(RUSAGE_SELF.rawValue)
    #else
        private static let own = RUSAGE_SELF
    #endif

    /// The processor time of all threads of this process since it started.
    static var ofThisProcess: Double {
        var usage = rusage()
        guard getrusage(Self.own, &usage) == 0 else { return 0 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The processor times of the whole machine since it started: the busy time, and the sum of busy and idle time.
    /// Nil when the system does not report them.
    static var ofTheMachine: (busy: Double, all: Double)? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),  // other systems have none
            let line = text.split(separator: "\n").first
        else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard ticks.count == 8 else { return nil }
        let all = ticks.reduce(0, +)
        return (all - ticks[3] - ticks[4], all)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
    }
}
