/// How a server is loaded: with what, how hard, for how long.
package struct LoadPlan: Sendable {
    package let scenario: Scenario
    /// How many browsers act at a time, each over a connection of its own.
    package let connections: Int
    /// Actions begun a second, whether or not the server keeps up; nil begins the next when the last is done.
    package let rate: Double?
    package let duration: Duration
    package let kill: KillPlan?
    /// The model's part of its addresses, such as `animals`.
    package let model: String

    /// However much is asked for, a run ends.
    static let mostConnections = 1024
    static let highestRate = 100_000.0
    static let longestDuration = Duration.seconds(3600)

    package init(
        scenario: Scenario, connections: Int, rate: Double? = nil, duration: Duration, kill: KillPlan? = nil,
        model: String
    ) throws(LoadPlanError) {
        guard (1...Self.mostConnections).contains(connections) else {
            throw LoadPlanError("--connections must be between 1 and \(Self.mostConnections).")
        }
        guard duration > .zero, duration <= Self.longestDuration else {
            throw LoadPlanError("--duration must be more than nothing and at most one hour.")
        }
        if let rate {
            guard rate > 0, rate <= Self.highestRate else {
                throw LoadPlanError("--rate must be more than 0 and at most \(Int(Self.highestRate)) actions a second.")
            }
        }
        if let kill {
            guard kill.interval >= .milliseconds(100) else {
                throw LoadPlanError("--every must be at least 100ms: a killed process needs time to come back.")
            }
        }
        guard !model.isEmpty, model.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            throw LoadPlanError("--model must be the model's part of its address, such as animals.")
        }
        self.scenario = scenario
        self.connections = connections
        self.rate = rate
        self.duration = duration
        self.kill = kill
        self.model = model
    }

    var listPath: String { "/admin/\(model)" }
}
