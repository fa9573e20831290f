import Foundation
import Histogram

extension LoadResult {
    /// Returns the result as JSON for programs. The keys are stable.
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

    struct Step: Encodable {
        let perSecond: Double
        let errors: [String: Int]
        let bytes: Int
    }

    struct Client: Encodable {
        let processes: Int
        let processors: Double
        let machineShare: Double?
        let lateness: Double?
        let isBottleneck: Bool
    }

    struct Server: Encodable {
        let processes: [ServerStatistics.Member]
        let flushes: Double
        let changeSets: Double
        let meanBatch: Double?
        let meanFlush: Double?
        let flushP99: Double?
        let batchSizes: [ServerStatistics.BatchSize]
        let durability: String
        let versions: [String: String]
    }

    struct Limit: Encodable {
        let p99: Double
        let errorShare: Double
        let highest: Double?
        /// Indicates whether a rate was too high. If not, the highest rate is only the last one that the search
        /// tried.
        let isBounded: Bool
        let steps: [RampStep]
    }

    /// A part of the run, from `seconds` after its beginning to the next part.
    struct Interval: Encodable {
        let seconds: Double
        let requests: Int
        let failed: Int
        let p50: Double?
        let p99: Double?
    }

    let scenario: String
    let weights: String
    /// The time at which the run began, in seconds since 1970.
    let began: Double
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
    /// The latencies of all actions, including those that were due and did not begin.
    let all: LatencySummary
    let steps: [String: Step]
    let timeline: [Interval]
    let bytes: Int
    let errors: [String: Int]
    let conflicts: Int
    let client: Client?
    let server: Server?
    let limit: Limit?
    let restored: Bool
    let machine: Machine
    let violations: Violations
    let good: Bool

    init(_ result: LoadResult) {
        scenario = result.plan.scenario.name
        began = result.date.timeIntervalSince1970
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
        weights = result.plan.scenario.weights
        all = LatencySummary(result.measurements.all)
        steps = Dictionary(
            uniqueKeysWithValues: result.operations.map { name, figures in
                (
                    name,
                    Step(
                        perSecond: result.perSecond(Int(figures.latencies.totalCount)), errors: figures.errors,
                        bytes: figures.bytes)
                )
            })
        let timeline = result.measurements.timeline
        self.timeline = timeline.intervals.enumerated().map { index, interval in
            Interval(
                seconds: Double(index) * timeline.length.seconds, requests: interval.requests, failed: interval.failed,
                p50: interval.latency(50), p99: interval.latency(99))
        }
        bytes = result.measurements.bytes
        errors = result.measurements.errors
        conflicts = result.counts.conflicts
        client = result.client.map {
            Client(
                processes: $0.processes, processors: $0.processors, machineShare: $0.machineShare,
                lateness: $0.lateness, isBottleneck: $0.isBottleneck)
        }
        server = result.server.map {
            Server(
                processes: $0.members, flushes: $0.flushes, changeSets: $0.changeSets, meanBatch: $0.meanBatch,
                meanFlush: $0.meanFlush,
                flushP99: $0.mostFlush, batchSizes: $0.batchSizes, durability: $0.durability, versions: $0.versions
            )
        }
        limit = result.ramp.map {
            Limit(
                p99: $0.limit.p99.milliseconds, errorShare: $0.limit.errorShare, highest: $0.highest,
                isBounded: $0.isBounded, steps: $0.steps)
        }
        restored = result.backup != nil
        machine = .current
        violations = Violations(
            count: result.violations.count,
            byKind: Dictionary(uniqueKeysWithValues: result.violations.counts.map { ($0.key.rawValue, $0.value) }),
            first: result.violations.first.map {
                NamedViolation(kind: $0.kind.rawValue, record: $0.record, text: $0.text)
            }
        )
        good = result.isGood
    }
}

/// The machine on which the run was made.
struct Machine: Sendable, Encodable {
    let processor: String
    let cores: Int
    let memory: Double
    let system: String

    static var current: Machine {
        let process = ProcessInfo.processInfo
        // Other systems have no such file.
        let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8))?.split(separator: "\n") ?? []
        let model = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
        return Machine(
            processor: model?.trimmingCharacters(in: .whitespaces) ?? "unknown processor",
            cores: process.activeProcessorCount, memory: Double(process.physicalMemory) / 1_073_741_824,
            system: process.operatingSystemVersionString
        )
    }
}
