@testable import AviaryLoad
import Testing

@Suite struct PlanTests {
    @Test(arguments: [("60s", Duration.seconds(60)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)), ("1.5s", .milliseconds(1500))])
    func readsDurations(_ text: String, _ duration: Duration) throws {
        #expect(try Duration(parsing: text) == duration)
    }

    @Test(arguments: ["", "60", "s", "-5s", "5 s", "5d", "1e9s", "ms"])
    func refusesWhatIsNoDuration(_ text: String) {
        #expect(throws: LoadPlanError.self) { try Duration(parsing: text) }
    }

    @Test(arguments: ["http://127.0.0.1:8080", "http://127.0.0.1:8080/admin", "http://localhost", "http://[::1]:80", "http://127.9.9.9"])
    func loopbackIsLoaded(_ url: String) throws {
        _ = try LoadTarget.running(url, allowsOtherHosts: false)
    }

    @Test(arguments: ["http://example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://127.0.0.1@example.com", "file:///x", "", "127.0.0.1"])
    func otherHostsAreNot(_ url: String) {
        #expect(throws: LoadPlanError.self) { try LoadTarget.running(url, allowsOtherHosts: false) }
    }

    @Test func loadIsBounded() {
        #expect(throws: LoadPlanError.self) { try LoadPlan(scenario: .add, connections: 5000, duration: .seconds(1), model: "animals") }
        #expect(throws: LoadPlanError.self) { try LoadPlan(scenario: .add, connections: 1, duration: .seconds(100_000), model: "animals") }
        #expect(throws: LoadPlanError.self) { try LoadPlan(scenario: .add, connections: 1, rate: 1e9, duration: .seconds(1), model: "animals") }
        #expect(throws: LoadPlanError.self) { try LoadPlan(scenario: .add, connections: 1, duration: .seconds(1), model: "../x") }
    }

    @Test("A search for the limit needs a rate to begin with, and a server that is left alone")
    func limits() throws {
        let limit = try LimitPlan(p99: .milliseconds(100), errorShare: 0.01)
        let kill = KillPlan(target: .any, interval: .seconds(1))
        #expect(throws: LoadPlanError.self) { try LoadPlan(scenario: .add, connections: 1, duration: .seconds(1), limit: limit, model: "animals") }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 1, rate: 1, duration: .seconds(1), kill: kill, limit: limit, model: "animals")
        }
        #expect(throws: LoadPlanError.self) { try LimitPlan(p99: .zero, errorShare: 0) }
        #expect(throws: LoadPlanError.self) { try LimitPlan(p99: .seconds(1), errorShare: 1) }
    }
}
