import Foundation

/// The plan of a load test: the scenario, the load and the duration.
package struct LoadPlan: Sendable {
    package let scenario: LoadScenario
    /// The number of concurrent browsers, each with a connection of its own.
    package let connections: Int
    /// The number of actions that begin per second, even if the server does not keep up. With nil, each action
    /// begins when the previous one ends.
    package let rate: Double?
    /// The measured time.
    package let duration: Duration
    /// The minimum number of actions. A run without a rate continues until it has begun this many, even after
    /// `duration`.
    package let leastActions: Int
    /// The duration of the warm-up: the same load before the measured time, without measurement.
    package let warmUp: Duration
    package let kill: KillPlan?
    /// The longest outage that is expected. Requests are repeated until it has passed, and only then reported. With
    /// nil, the server must answer every request.
    package let outage: Duration?
    /// Indicates whether the run takes a backup in the middle, restores it at the end, and checks that the store
    /// has the state of that time.
    package let restores: Bool
    /// The limits of a search for the highest rate; nil for a run at one rate.
    package let limit: LimitPlan?
    /// The number of client processes; nil for the number that the warm-up shows to be needed.
    package let processes: Int?
    /// The component of the model in addresses, such as `animals`.
    package let model: String

    /// The limits of a plan, so that every run ends.
    static let mostConnections = 1024
    static let lowestRate = 0.01, highestRate = 100_000.0
    static let longestDuration = Duration.seconds(3600)
    static let mostProcesses = 16
    /// The longest outage after a kill: longer than a process takes to restart.
    static let outageOfKill = Duration.seconds(30)

    package init(
        scenario: LoadScenario, connections: Int, rate: Double? = nil, duration: Duration, leastActions: Int = 0,
        warmUp: Duration = .zero,
        kill: KillPlan? = nil, outage: Duration? = nil, restores: Bool = false, limit: LimitPlan? = nil,
        processes: Int? = 1, model: String
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
        if let outage {
            guard outage > .zero, outage <= Self.longestDuration else {
                throw LoadPlanError("--outage must be more than nothing and at most one hour.")
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
            guard kill == nil, outage == nil, !restores else {
                throw LoadPlanError(
                    "--find-limit asks how much a server takes that is left alone: use it without --kill, --outage and --restore."
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
        self.outage = outage ?? (kill == nil ? nil : Self.outageOfKill)
        self.restores = restores
        self.limit = limit
        self.processes = processes
        self.model = model
    }

    /// The maximum number of client processes. Each process has at least one connection.
    var mostProcesses: Int { min(Self.mostProcesses, connections) }

    var listPath: String { "/admin/\(model)" }
}

/// The kind of process that a run kills, and the interval between kills.
package struct KillPlan: Sendable, Hashable {
    package let target: KillTarget
    package let interval: Duration

    package init(target: KillTarget, interval: Duration) {
        self.target = target
        self.interval = interval
    }
}

package enum KillTarget: String, Sendable, CaseIterable {
    case worker, store, any
}

/// The limits above which a rate is too high for the server.
package struct LimitPlan: Sendable, Hashable {
    /// The maximum 99th percentile of the latency of all actions, measured from the moment at which they were due.
    package let p99: Duration
    /// The maximum share of failed requests, 0 to 1.
    package let errorShare: Double

    /// The factor from one rate to the next, and the number of times that the gap is halved at the end.
    static let growth = 1.5, halvings = 3
    /// The maximum number of times that a first rate that is too high is halved.
    static let mostDescents = 10
    static let mostSteps = 40
    /// The minimum share of due actions that the client must begin. A client that cannot keep up measures nothing.
    static let begunShare = 0.98

    package init(p99: Duration, errorShare: Double) throws(LoadPlanError) {
        guard p99 > .zero else { throw LoadPlanError("--limit-p99 must be more than nothing, such as 250ms.") }
        guard errorShare >= 0, errorShare < 1 else {
            throw LoadPlanError("--limit-errors is a share of the requests: from 0 to less than 1, such as 0.01.")
        }
        self.p99 = p99
        self.errorShare = errorShare
    }
}

/// An error for a load test with invalid options. The text says how to correct them.
package struct LoadPlanError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension Duration {
    /// Parses a duration such as `60s`, `500ms`, `2m` or `1h`.
    package init(parsing text: String) throws(LoadPlanError) {
        let number = text.prefix { $0.isNumber || $0 == "." }
        let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
        guard let value = Double(number), value < 1e6, let unit = units[text[number.endIndex...]] else {
            throw LoadPlanError("\"\(text)\" is not a duration. Write a number and its unit: 500ms, 60s, 2m or 1h.")
        }
        self = .seconds(value * unit)
    }

    var seconds: Double { self / .seconds(1) }
    var milliseconds: Double { self / .milliseconds(1) }
    var microseconds: UInt64 { UInt64(max(0, self / .microseconds(1))) }
}

/// The server that a load test sends its requests to.
package enum LoadTarget: Sendable {
    /// A running server, with its origin, such as `http://127.0.0.1:8080`.
    ///
    /// - Parameter credentials: The credentials to sign in with; nil for a server that requires no sign-in.
    case running(origin: String, credentials: Credentials?)
    /// A server that the harness starts for this run and removes after it.
    case selfHosted(ServerLaunch)

    /// Parses the address of a running server.
    ///
    /// The harness accepts only loopback addresses unless the user explicitly allows other hosts.
    package static func running(
        _ text: String, credentials: Credentials? = nil, allowsOtherHosts: Bool
    ) throws(LoadPlanError) -> LoadTarget {
        guard let address = URLComponents(string: text), let host = address.host, !host.isEmpty,
            address.scheme == "http" || address.scheme == "https", address.user == nil
        else { throw LoadPlanError("--url must be an address such as http://127.0.0.1:8080.") }
        guard address.scheme == "http" else {
            throw LoadPlanError(
                "The load harness has no TLS. Give the address that the proxy forwards to, such as http://127.0.0.1:8080."
            )
        }
        guard allowsOtherHosts || isLoopback(host) else {
            throw LoadPlanError(
                "\(host) is not this machine. To load another host, which must be yours, add --yes-load-another-host.")
        }
        var origin = URLComponents()
        origin.scheme = address.scheme
        origin.host = host
        origin.port = address.port
        guard let text = origin.string else {
            throw LoadPlanError("--url must be an address such as http://127.0.0.1:8080.")
        }
        return .running(origin: text, credentials: credentials)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
