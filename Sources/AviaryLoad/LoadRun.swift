import AsyncHTTPClient
import Foundation

/// One run against one server: what is there, the load, what is there then.
struct LoadRun: Sendable {
    let plan: LoadPlan
    let origin: String
    let client: HTTPClient
    let server: SelfHostedServer?
    /// Of the session in which everybody is.
    let cookies: CookieJar
    let progress: @Sendable (String) -> Void
    private let ledger = Ledger()
    private let incidents = Incidents()

    /// Twice as many as may be there is a list without an end.
    private static let mostRecords = 20_000_000

    init(
        plan: LoadPlan, origin: String, client: HTTPClient, server: SelfHostedServer?, cookies: CookieJar,
        progress: @escaping @Sendable (String) -> Void
    ) {
        self.plan = plan
        self.origin = origin
        self.client = client
        self.server = server
        self.cookies = cookies
        self.progress = progress
    }

    func result() async throws -> LoadResult {
        let existing = try await noteExisting()
        if plan.scenario != .browse { try await checkThatRecordsMayBeAdded() }
        progress("\(existing) records are there. Loading for \(plan.duration.seconds) s over \(plan.connections) connections.")
        let date = Date()
        let start = ContinuousClock.now
        let recorder = Recorder(start: start, duration: plan.duration)
        let pace: any Pace = plan.rate.map { OpenLoop(start: start, duration: plan.duration, rate: $0) }
            ?? ClosedLoop(end: start + plan.duration)
        let kills = try await act(at: pace, recorder: recorder)
        let duration = ContinuousClock.now - start
        try Task.checkCancellation()
        let measurements = recorder.result
        progress("Checking.")
        return LoadResult(
            plan: plan, origin: origin, launch: launchDescription, date: date, duration: duration,
            measurements: measurements, counts: ledger.counts, unsent: pace.unsent, kills: kills,
            restarts: try await server?.restarts(),
            violations: try await check()
        )
    }

    private var launchDescription: String { server == nil ? "A server that was running" : "A server of this run" }

    /// All browsers, and beside them the kills.
    private func act(at pace: any Pace, recorder: Recorder) async throws -> [Kill] {
        let run = String(UInt32.random(in: 0...UInt32.max), radix: 36)
        async let kills = KillSchedule(plan: plan, server: server, start: recorder.start).run()
        await withDiscardingTaskGroup { people in
            for number in 1...plan.connections {
                people.addTask {
                    var person = Person(
                        browser: Browser(client: client, origin: origin, recorder: recorder, cookies: cookies), plan: plan,
                        ledger: ledger, incidents: incidents, name: "\(run)-\(number)"
                    )
                    await person.act(at: pace)
                }
            }
        }
        return try await kills
    }

    private func noteExisting() async throws(LoadTestError) -> Int {
        var walk = walk()
        var count = 0
        _ = try await walk.forEach(most: Self.mostRecords) { row in
            ledger.noteExisting(row)
            count += 1
        }
        return count
    }

    /// Before the load: what this account may not do would be counted against the server, request by request.
    private func checkThatRecordsMayBeAdded() async throws {
        var browser = Browser(client: client, origin: origin, recorder: Recorder(start: .now, duration: plan.duration), cookies: cookies)
        guard try await browser.get(plan.listPath + "/new", as: .check).status == 403 else { return }
        throw LoadTestError("This account may not add records at \(plan.listPath). Use one with the role editor, or --scenario browse.")
    }

    private func check() async throws(LoadTestError) -> ViolationList {
        let histories = ledger.histories
        var checker = Checker(histories)
        var walk = walk()
        let total = try await walk.forEach(most: 2 * histories.count + 1000) { checker.observe($0) }
        var violations = checker.finish(total: total)
        violations.add(contentsOf: incidents.violations)
        return violations
    }

    /// Reads beside the measurements.
    private func walk() -> ListWalk {
        let recorder = Recorder(start: .now, duration: plan.duration)
        return ListWalk(browser: Browser(client: client, origin: origin, recorder: recorder, cookies: cookies), path: plan.listPath)
    }
}
