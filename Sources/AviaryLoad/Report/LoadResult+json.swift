import Foundation

extension LoadResult {
    /// For programs: the keys stay as they are.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(JSONResult(self)), as: UTF8.self)
    }
}

private struct JSONResult: Encodable {
    struct Throughput: Encodable {
        let requestsPerSecond: Double
        let actionsPerSecond: Double
        let acknowledgedPerSecond: Double
    }

    struct Violations: Encodable {
        let count: Int
        let byKind: [String: Int]
        let first: [NamedViolation]
    }

    struct NamedViolation: Encodable {
        let kind: String
        let record: String?
        let text: String
    }

    let scenario: String
    let seconds: Double
    let connections: Int
    let rate: Double?
    let requests: Int
    let failedRequests: Int
    let actions: Int
    let unsent: Int
    let attempted: Int
    let acknowledged: Int
    let refused: Int
    let unknown: Int
    let retried: Int
    let unresolved: Int
    let kills: Int
    let killed: [Kill]
    let restarts: Int?
    let longestReadPause: Double
    let throughput: Throughput
    let latencyUnit = "ms"
    let latency: [String: LatencySummary]
    let violations: Violations
    let good: Bool

    init(_ result: LoadResult) {
        scenario = result.plan.scenario.rawValue
        seconds = result.duration.seconds
        connections = result.plan.connections
        rate = result.plan.rate
        requests = result.measurements.requests
        failedRequests = result.measurements.failedRequests
        actions = result.measurements.actions
        unsent = result.unsent
        attempted = result.counts.attempted
        acknowledged = result.counts.acknowledged
        refused = result.counts.refused
        unknown = result.counts.unknown
        retried = result.counts.retried
        unresolved = result.counts.unresolved
        kills = result.kills.count
        killed = result.kills
        restarts = result.restarts
        longestReadPause = result.measurements.longestReadPause.seconds
        throughput = Throughput(
            requestsPerSecond: result.perSecond(requests), actionsPerSecond: result.perSecond(actions),
            acknowledgedPerSecond: result.perSecond(acknowledged)
        )
        latency = result.latencies
        violations = Violations(
            count: result.violations.count,
            byKind: Dictionary(uniqueKeysWithValues: result.violations.counts.map { ($0.key.rawValue, $0.value) }),
            first: result.violations.first.map { NamedViolation(kind: $0.kind.rawValue, record: $0.record, text: $0.text) }
        )
        good = result.isGood
    }
}
