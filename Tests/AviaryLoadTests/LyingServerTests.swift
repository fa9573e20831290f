import Hummingbird
import TestSupport
import Testing

@testable import AviaryLoad

/// Tests of the whole harness over HTTP against servers with faults.
@Suite("Detecting a faulty server", .serialized) struct LyingServerTests {
    private func violations(_ lie: FakeAdmin.Lie?, _ scenario: LoadScenario = .mixed) async throws -> [Violation.Kind:
        Int]
    {
        try await FakeAdmin(lie).serve { origin in
            let plan = try LoadPlan(
                scenario: scenario, connections: 4, duration: .milliseconds(1), leastActions: 60, model: "animals")
            let result = try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run()
            #expect(result.isGood == result.violations.isEmpty)
            #expect(result.measurements.requests > 0)
            return result.violations.counts
        }
    }

    @Test("A correct server passes", arguments: [LoadScenario.mixed, .edit, .deleteUndo, .conflict, .browse])
    func honest(_ scenario: LoadScenario) async throws {
        #expect(try await violations(nil, scenario) == [:])
    }

    @Test(
        "Each fault is detected by a scenario that exercises it",
        arguments: [
            (FakeAdmin.Lie.forgets, LoadScenario.add, Violation.Kind.lost), (.duplicates, .add, .duplicated),
            (.ignoresDeletes, LoadScenario("deletes", [.delete: 1]), .resurrected), (.ignoresEdits, .edit, .reverted),
            (.ignoresUndo, .deleteUndo, .lost), (.overwrites, .conflict, .overwritten),
            (.storesCancelledDrafts, LoadScenario("drafts", [.draft: 1]), .orphaned),
            (.storesRefused, LoadScenario("refusals", [.refused: 1]), .orphaned), (.invents, .add, .foreign),
        ])
    func lie(_ lie: FakeAdmin.Lie, _ scenario: LoadScenario, _ kind: Violation.Kind) async throws {
        #expect(try await violations(lie, scenario)[kind, default: 0] > 0)
    }

    @Test("Writes that are not stored are reported only as lost")
    func storesNothing() async throws {
        let counts = try await violations(.forgets, .add)
        #expect(counts[.lost, default: 0] > 0)
        #expect(Set(counts.keys) == [.lost])
    }

    @Test("A page without records and a total is rejected as a list")
    func noList() async throws {
        let router = Router()
        router.get("/admin/animals") { _, _ in Response(status: 200, page: "<p>Welcome.</p>") }
        try await serving(router) { origin in
            let plan = try LoadPlan(scenario: .browse, connections: 1, duration: .milliseconds(100), model: "animals")
            let test = LoadTest(plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in })
            let error = await #expect(throws: LoadTestError.self) { try await test.run() }
            #expect(error?.description.contains("neither records nor how many") == true)
        }
    }

    /// Answers each third request like a proxy without a server behind it.
    private func violations(
        outage: Duration?, status: Int, _ scenario: LoadScenario = .mixed
    ) async throws -> ViolationList {
        try await FakeAdmin(nil).serve(behindProxyWith: status) { origin in
            let plan = try LoadPlan(
                scenario: scenario, connections: 4, duration: .milliseconds(1), leastActions: 60, outage: outage,
                model: "animals")
            return try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run().violations
        }
    }

    @Test("An expected outage is no violation, and every write gets its answer", arguments: [502, 503, 504])
    func outage(_ status: Int) async throws {
        let violations = try await violations(outage: Patience.bound, status: status)
        #expect(violations.isEmpty, "\(violations.first)")
    }

    @Test("An outage that is not expected is a violation")
    func unexpectedOutage() async throws {
        #expect(try await violations(outage: nil, status: 502).counts[.unexpected, default: 0] > 0)
    }

    @Test("An outage does not explain an error of the program", arguments: [LoadScenario.add, .conflict])
    func programError(_ scenario: LoadScenario) async throws {
        let violations = try await violations(outage: Patience.bound, status: 500, scenario)
        #expect(violations.first.contains { $0.text.contains("POST") && $0.text.contains("which no outage explains") })
    }

    @Test("A run that should kill processes but kills none fails")
    func nothingKilled() async throws {
        try await FakeAdmin(nil).serve { origin in
            let plan = try LoadPlan(
                scenario: .browse, connections: 1, duration: .milliseconds(300),
                kill: KillPlan(target: .store, interval: .milliseconds(100)), model: "animals"
            )
            let connections = Connections(count: 1)
            let run = LoadRun(
                plan: plan, origin: origin, connections: connections, server: nil, executable: "", cookies: CookieJar(),
                progress: { _ in }
            )
            let violations = try await run.result().violations
            #expect(
                violations.counts == [.unexpected: 1]
                    && violations.first.first?.text.contains("Nothing was killed") == true)
            try await connections.shutdown()
        }
    }

    @Test("Writes during the warm-up are not counted")
    func counts() async throws {
        try await FakeAdmin(nil).serve { origin in
            let plan = try LoadPlan(
                scenario: .add, connections: 2, rate: 20, duration: .milliseconds(500), warmUp: .milliseconds(1500),
                processes: 1, model: "animals"
            )
            let result = try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run()
            #expect(result.isGood && result.counts.acknowledged == result.measurements.actions, "\(result.counts)")
            #expect(result.counts.acknowledged <= 10)
        }
    }

    @Test("An unreachable server causes an error")
    func away() async throws {
        let plan = try LoadPlan(scenario: .add, connections: 1, duration: .milliseconds(100), model: "animals")
        let test = LoadTest(
            plan: plan, target: .running(origin: "http://127.0.0.1:1", credentials: nil), progress: { _ in })
        let run = Task { try await test.run() }
        try await Task.sleep(for: .milliseconds(300))
        run.cancel()
        await #expect(throws: LoadTestError.self) { try await run.value }
    }
}
