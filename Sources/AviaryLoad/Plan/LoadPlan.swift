/// How a server is loaded: with what, how hard, for how long.
package struct LoadPlan: Sendable {
    package let scenario: LoadScenario
    /// How many browsers act at a time, each over a connection of its own.
    package let connections: Int
    /// Actions begun a second, whether or not the server keeps up; nil begins the next when the last is done.
    package let rate: Double?
    /// What counts.
    package let duration: Duration
    /// Actions without a rate are begun until so many were, however long that takes.
    package let leastActions: Int
    /// The same load before that, which does not count.
    package let warmUp: Duration
    package let kill: KillPlan?
    /// Take a backup in the middle, restore it at the end, and check that the store is as it was then.
    package let restores: Bool
    /// Where a search for the highest rate ends; nil for a run at one rate.
    package let limit: LimitPlan?
    /// Client processes; nil for as many as the warm-up shows to be needed.
    package let processes: Int?
    /// The model's part of its addresses, such as `animals`.
    package let model: String

    /// However much is asked for, a run ends.
    static let mostConnections = 1024
    static let lowestRate = 0.01, highestRate = 100_000.0
    static let longestDuration = Duration.seconds(3600)
    static let mostProcesses = 16

    package init(
        scenario: LoadScenario, connections: Int, rate: Double? = nil, duration: Duration, leastActions: Int = 0,
        warmUp: Duration = .zero,
        kill: KillPlan? = nil, restores: Bool = false, limit: LimitPlan? = nil, processes: Int? = 1, model: String
    ) throws(LoadPlanError) {
        guard (1...Self.mostConnections).contains(connections) else {
            throw LoadPlanError("--connections must be between 1 and \(Self.mostConnections).")
        }
        guard duration > .zero, duration <= Self.longestDuration else {
            throw LoadPlanError("--duration must be more than nothing and at most one hour.")
        }
        guard warmUp >= .zero, warmUp <= Self.longestDuration else {
            throw LoadPlanError("--warm-up must be at most one hour.")
        }
        if let rate {
            guard (Self.lowestRate...Self.highestRate).contains(rate) else {
                throw LoadPlanError(
                    "--rate must be between \(Self.lowestRate) and \(Int(Self.highestRate)) actions a second.")
            }
        }
        if let kill {
            guard kill.interval >= .milliseconds(100) else {
                throw LoadPlanError("--every must be at least 100ms: a killed process needs time to come back.")
            }
            guard kill.interval < duration else {
                throw LoadPlanError(
                    "--every must be shorter than --duration: else nothing is killed before the run is over.")
            }
        }
        if let processes {
            guard (1...Self.mostProcesses).contains(processes), processes <= connections else {
                throw LoadPlanError(
                    "--processes must be between 1 and \(Self.mostProcesses), and no more than there are connections.")
            }
        }
        if limit != nil {
            guard rate != nil else {
                throw LoadPlanError("--find-limit raises the rate, so it needs one to begin with: --rate.")
            }
            guard kill == nil, !restores else {
                throw LoadPlanError(
                    "--find-limit asks how much a server takes that is left alone: use it without --kill and --restore."
                )
            }
        }
        guard !model.isEmpty, model.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            throw LoadPlanError("--model must be the model's part of its address, such as animals.")
        }
        guard !scenario.parts.isEmpty else {
            throw LoadPlanError("The scenario \(scenario.name) has nothing to do. Give it an action.")
        }
        self.scenario = scenario
        self.connections = connections
        self.rate = rate
        self.duration = duration
        self.leastActions = leastActions
        self.warmUp = warmUp
        self.kill = kill
        self.restores = restores
        self.limit = limit
        self.processes = processes
        self.model = model
    }

    /// As many client processes as there may be: each has a connection, at least.
    var mostProcesses: Int { min(Self.mostProcesses, connections) }

    var listPath: String { "/admin/\(model)" }
}
