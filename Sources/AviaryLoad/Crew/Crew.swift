import AsyncHTTPClient
import Foundation

/// The people of one client process.
struct Crew: Sendable {
    let plan: CrewPlan
    let scenario: LoadScenario
    let ledger: Ledger
    let incidents: Incidents
    /// What counts goes here; what is done before the start does not.
    let recorder: Recorder

    init(_ plan: CrewPlan, scenario: LoadScenario, ledger: Ledger = Ledger(), incidents: Incidents = Incidents()) {
        self.plan = plan
        self.scenario = scenario
        self.ledger = ledger
        self.incidents = incidents
        recorder = Recorder(start: plan.start, duration: plan.duration)
    }

    /// Returns when everybody has done what they had begun.
    func act(over client: HTTPClient) async -> (measurements: Measurements, unsent: Int) {
        let warmUp = Recorder(start: plan.begin, duration: plan.start - plan.begin)
        let before = pace(from: plan.begin, for: plan.start - plan.begin)
        let pace = pace(from: plan.start, for: plan.duration)
        await withDiscardingTaskGroup { people in
            for number in 1...plan.connections {
                people.addTask {
                    var person = Person(
                        browser: Browser(client: client, origin: plan.origin, recorder: warmUp, cookies: plan.cookies),
                        scenario: scenario, listPath: plan.listPath, expectsInterruptions: plan.expectsInterruptions,
                        ledger: ledger, incidents: incidents, name: "\(plan.name)-\(number)", shared: plan.shared
                    )
                    if plan.begin < plan.start { await person.act(at: before) }
                    person.browser.recorder = recorder
                    await person.act(at: pace)
                }
            }
        }
        let unsent = pace.unsent
        recorder.recordUnsent(unsent)
        return (recorder.result, unsent.count)
    }

    private func pace(from start: ContinuousClock.Instant, for duration: Duration) -> any Pace {
        plan.rate.map { OpenLoop(start: start, duration: duration, rate: $0) } ?? ClosedLoop(start: start, end: start + duration)
    }
}
