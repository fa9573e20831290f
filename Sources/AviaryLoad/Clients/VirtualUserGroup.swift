import Foundation
import NIOPosix

/// The virtual users of one client process.
struct VirtualUserGroup: Sendable {
    let plan: VirtualUserPlan
    let scenario: LoadScenario
    let ledger: Ledger
    let incidents: ViolationLog
    /// The recorder of the measured time. The warm-up has a recorder of its own.
    let recorder: Recorder

    init(_ plan: VirtualUserPlan, scenario: LoadScenario, ledger: Ledger, incidents: ViolationLog = ViolationLog()) {
        self.plan = plan
        self.scenario = scenario
        self.ledger = ledger
        self.incidents = incidents
        recorder = Recorder(start: plan.start, duration: plan.duration)
    }

    /// Runs the virtual users, and returns when all of them have completed their last action.
    func act(over connections: Connections) async -> (measurements: Measurements, unsent: Int) {
        let ticker = Task {
            await SchedulingDelayProbe(recorder: recorder, eventLoops: MultiThreadedEventLoopGroup.singleton).run()
        }
        let pace = pace(from: plan.start, for: plan.duration, least: plan.leastActions)
        await act(over: connections, at: pace)
        ticker.cancel()
        let unsent = pace.unsent
        recorder.recordUnsent(unsent)
        var measurements = recorder.result
        measurements.writes = ledger.counts
        return (measurements, unsent.count)
    }

    private func act(over connections: Connections, at pace: any ArrivalSchedule) async {
        let warmUp = Recorder(start: plan.begin, duration: plan.start - plan.begin)
        let earlier = ledger.warmUp
        let before = self.pace(from: plan.begin, for: plan.start - plan.begin, least: 0)
        await withDiscardingTaskGroup { people in
            for number in 0..<plan.connections {
                people.addTask {
                    var person = VirtualUser(
                        browser: Browser(
                            client: connections[number], origin: plan.origin, recorder: warmUp, cookies: plan.cookies),
                        scenario: scenario, listPath: plan.listPath, outage: plan.outage,
                        ledger: earlier, incidents: incidents, name: "\(plan.name)-\(number + 1)", shared: plan.shared
                    )
                    if plan.begin < plan.start { await person.act(at: before) }
                    // The user has no action in progress here, so everything that it writes from here on counts.
                    person.browser.recorder = recorder
                    person.ledger = ledger
                    await person.act(at: pace)
                }
            }
        }
    }

    private func pace(from start: ContinuousClock.Instant, for duration: Duration, least: Int) -> any ArrivalSchedule {
        plan.rate.map { OpenLoop(start: start, duration: duration, rate: $0) }
            ?? ClosedLoop(start: start, end: start + duration, least: least)
    }
}

/// The work of one client process, in a form that another process can decode.
struct VirtualUserPlan: Sendable, Codable {
    let origin: String
    /// The cookies of the session that all virtual users share.
    let cookies: CookieJar
    /// The name of the scenario. The process that receives the plan runs the same program, so name and weights
    /// suffice.
    let scenario: String
    let weights: String
    let listPath: String
    var connections: Int
    /// The number of actions per second of this crew; nil for a closed loop.
    var rate: Double?
    /// The moment at which the users begin. The measurement begins at `start`.
    var begin: ContinuousClock.Instant
    var start: ContinuousClock.Instant
    let duration: Duration
    /// The minimum number of actions of this crew; see ``LoadPlan/leastActions``.
    var leastActions: Int
    /// See ``LoadPlan/outage``.
    let outage: Duration?
    /// Indicates whether the ledger keeps times, because the run compares a backup with it.
    let keepsTimes: Bool
    /// The id of the record that all users edit.
    let shared: String?
    /// A part of every title.
    var name: String

    /// Splits the plan into parts for several processes.
    func split(into count: Int) -> [VirtualUserPlan] {
        (0..<count).map { index in
            var part = self
            part.connections = connections / count + (index < connections % count ? 1 : 0)
            part.leastActions = leastActions / count + (index < leastActions % count ? 1 : 0)
            part.rate = rate.map { $0 / Double(count) }
            part.name = "\(name)\(index)"
            // The start is shifted so that the processes alternate instead of sending at the same time. It stays
            // within the duration.
            if let rate { part.start = start + min(.seconds(Double(index) / rate), duration * index / count) }
            return part
        }
    }
}

/// The result of a crew.
struct VirtualUserResult: Sendable, Codable {
    var measurements: Measurements
    let entries: LedgerEntries
    let incidents: ViolationList
    var unsent: Int
    var processorSeconds: Double
}
