@testable import AviaryLoad
import Testing

/// The whole harness against servers that lie, over HTTP.
@Suite(.serialized) struct LyingServerTests {
    private func violations(_ lie: FakeAdmin.Lie?, _ scenario: Scenario = .mixed) async throws -> [Violation.Kind: Int] {
        try await FakeAdmin(lie).serve { origin in
            let plan = try LoadPlan(scenario: scenario, connections: 4, duration: .milliseconds(700), model: "animals")
            let result = try await LoadTest(plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }).run()
            #expect(result.isGood == result.violations.isEmpty)
            #expect(result.measurements.requests > 0)
            return result.violations.counts
        }
    }

    @Test func anHonestServerPasses() async throws {
        #expect(try await violations(nil) == [:])
    }

    @Test(arguments: [
        (FakeAdmin.Lie.forgets, Violation.Kind.lost), (.duplicates, .duplicated), (.ignoresDeletes, .resurrected),
        (.ignoresEdits, .reverted), (.storesCancelledDrafts, .orphaned), (.storesRefused, .orphaned), (.invents, .foreign),
    ])
    func aLieIsFound(_ lie: FakeAdmin.Lie, _ kind: Violation.Kind) async throws {
        // On a busy machine so short a run may not come to what it lies about.
        for _ in 0..<10 where try await violations(lie)[kind, default: 0] > 0 { return }
        Issue.record("The lie was not found.")
    }

    @Test func aServerThatStoresNothingLosesEverything() async throws {
        let counts = try await violations(.forgets, .add)
        #expect(counts[.lost, default: 0] > 0)
        #expect(Set(counts.keys) == [.lost])
    }

    @Test func aServerThatIsNotThereIsToldSo() async throws {
        let plan = try LoadPlan(scenario: .add, connections: 1, duration: .milliseconds(100), model: "animals")
        let test = LoadTest(plan: plan, target: .running(origin: "http://127.0.0.1:1", credentials: nil), progress: { _ in })
        let run = Task { try await test.run() }
        try await Task.sleep(for: .milliseconds(300))
        run.cancel()
        await #expect(throws: LoadTestError.self) { try await run.value }
    }
}
