import Foundation
import NIOPosix

/// The people of one client process.
struct Crew: Sendable {
    let plan: CrewPlan
    let scenario: LoadScenario
    let ledger: Ledger
    let incidents: Incidents
    /// What counts goes here; what is done before the start does not.
    let recorder: Recorder

    init(_ plan: CrewPlan, scenario: LoadScenario, ledger: Ledger, incidents: Incidents = Incidents()) {
        self.plan = plan
        self.scenario = scenario
        self.ledger = ledger
        self.incidents = incidents
        recorder = Recorder(start: plan.start, duration: plan.duration)
    }

    /// Returns when everybody has done what they had begun.
    func act(over connections: Connections) async -> (measurements: Measurements, unsent: Int) {
        let ticker = Task {
            await ClientTicker(recorder: recorder, eventLoops: MultiThreadedEventLoopGroup.singleton).run()
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

    private func act(over connections: Connections, at pace: any Pace) async {
        let warmUp = Recorder(start: plan.begin, duration: plan.start - plan.begin)
        let earlier = ledger.warmUp
        let before = self.pace(from: plan.begin, for: plan.start - plan.begin, least: 0)
        await withDiscardingTaskGroup { people in
            for number in 0..<plan.connections {
                people.addTask {
                    var person = Person(
                        browser: Browser(
                            client: connections[number], origin: plan.origin, recorder: warmUp, cookies: plan.cookies),
                        scenario: scenario, listPath: plan.listPath, expectsInterruptions: plan.expectsInterruptions,
                        ledger: earlier, incidents: incidents, name: "\(plan.name)-\(number + 1)", shared: plan.shared
                    )
                    if plan.begin < plan.start { await person.act(at: before) }
                    // It has nothing under way now: what it writes from here on counts.
                    person.browser.recorder = recorder
                    person.ledger = ledger
                    await person.act(at: pace)
                }
            }
        }
    }

    private func pace(from start: ContinuousClock.Instant, for duration: Duration, least: Int) -> any Pace {
        plan.rate.map { OpenLoop(start: start, duration: duration, rate: $0) }
            ?? ClosedLoop(start: start, end: start + duration, least: least)
    }
}

/// What one client process does, as another may be told it.
struct CrewPlan: Sendable, Codable {
    let origin: String
    /// Of the session in which everybody is.
    let cookies: CookieJar
    /// The scenario's name and weights: the process that is told them has the same program.
    let scenario: String
    let weights: String
    let listPath: String
    var connections: Int
    /// Actions a second of this crew; nil for a closed loop.
    var rate: Double?
    /// When people begin, and when what they do begins to count.
    var begin: ContinuousClock.Instant
    var start: ContinuousClock.Instant
    let duration: Duration
    /// Of this crew; see ``LoadPlan/leastActions``.
    var leastActions: Int
    let expectsInterruptions: Bool
    /// A backup will be held against what is entered.
    let keepsTimes: Bool
    /// The record that all edit.
    let shared: String?
    /// Part of every title.
    var name: String

    /// The same work for several processes, each a part of it.
    func split(into count: Int) -> [CrewPlan] {
        (0..<count).map { index in
            var part = self
            part.connections = connections / count + (index < connections % count ? 1 : 0)
            part.leastActions = leastActions / count + (index < leastActions % count ? 1 : 0)
            part.rate = rate.map { $0 / Double(count) }
            part.name = "\(name)\(index)"
            // Between the others' turns, not all at once, and within the time that there is.
            if let rate { part.start = start + min(.seconds(Double(index) / rate), duration * index / count) }
            return part
        }
    }
}

/// What a crew found.
struct CrewResult: Sendable, Codable {
    var measurements: Measurements
    let entries: LedgerEntries
    let incidents: ViolationList
    var unsent: Int
    var processorSeconds: Double
}
