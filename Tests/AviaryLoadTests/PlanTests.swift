import Foundation
import Testing

@testable import AviaryLoad

@Suite struct PlanTests {
    @Test(arguments: [
        ("60s", Duration.seconds(60)), ("500ms", .milliseconds(500)), ("2m", .seconds(120)),
        ("1.5s", .milliseconds(1500)),
    ])
    func readsDurations(_ text: String, _ duration: Duration) throws {
        #expect(try Duration(parsing: text) == duration)
    }

    @Test(arguments: ["", "60", "s", "-5s", "5 s", "5d", "1e9s", "ms"])
    func refusesWhatIsNoDuration(_ text: String) {
        #expect(throws: LoadPlanError.self) { try Duration(parsing: text) }
    }

    @Test(arguments: [
        "http://127.0.0.1:8080", "http://127.0.0.1:8080/admin", "http://localhost", "http://[::1]:80",
        "http://127.9.9.9",
    ])
    func loopbackIsLoaded(_ url: String) throws {
        _ = try LoadTarget.running(url, allowsOtherHosts: false)
    }

    @Test(arguments: [
        "http://example.com", "http://127.0.0.1.example.com", "http://10.0.0.1", "http://127.0.0.1@example.com",
        "file:///x", "", "127.0.0.1",
    ])
    func otherHostsAreNot(_ url: String) {
        #expect(throws: LoadPlanError.self) { try LoadTarget.running(url, allowsOtherHosts: false) }
    }

    @Test func loadIsBounded() {
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 5000, duration: .seconds(1), model: "animals")
        }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 1, duration: .seconds(100_000), model: "animals")
        }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 1, rate: 1e9, duration: .seconds(1), model: "animals")
        }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 1, duration: .seconds(1), model: "../x")
        }
    }

    @Test(
        "A rate that is too low is rejected",
        arguments: [0, -1, 1e-20, 0.009, .nan, .infinity])
    func lowRates(_ rate: Double) {
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 2, rate: rate, duration: .seconds(1), model: "animals")
        }
    }

    @Test(
        "A kill interval that is not shorter than the run is rejected", arguments: [10, 30])
    func lateKills(_ seconds: Int) throws {
        func plan(every interval: Duration) throws -> LoadPlan {
            try LoadPlan(
                scenario: .add, connections: 1, duration: .seconds(10),
                kill: KillPlan(target: .store, interval: interval), model: "animals"
            )
        }
        #expect(throws: LoadPlanError.self) { try plan(every: .seconds(seconds)) }
        _ = try plan(every: .seconds(9))
    }

    @Test("A run expects the outages of its kills, or those that it is given")
    func outages() throws {
        func outage(of kill: KillPlan?, given: Duration?) throws -> Duration? {
            try LoadPlan(
                scenario: .add, connections: 1, duration: .seconds(10), kill: kill, outage: given, model: "animals"
            ).outage
        }
        let kill = KillPlan(target: .store, interval: .seconds(1))
        #expect(try outage(of: nil, given: nil) == nil)
        #expect(try outage(of: kill, given: nil) == .seconds(30))
        #expect(try outage(of: nil, given: .seconds(90)) == .seconds(90))
        #expect(try outage(of: kill, given: .seconds(5)) == .seconds(5))
        for given in [Duration.zero, .seconds(-1), .seconds(3601)] {
            #expect(throws: LoadPlanError.self) { try outage(of: nil, given: given) }
        }
    }

    @Test("Client processes divide the connections and begin within the duration")
    func split() {
        let start = ContinuousClock.now
        let plan = VirtualUserPlan(
            origin: "", cookies: CookieJar(), scenario: "add", weights: "add=1", listPath: "", connections: 6,
            rate: LoadPlan.lowestRate,
            begin: start, start: start, duration: .seconds(8), leastActions: 10, outage: nil,
            keepsTimes: false,
            shared: nil, name: ""
        )
        #expect(plan.split(into: 4).map { $0.start - start } == [.zero, .seconds(2), .seconds(4), .seconds(6)])
        #expect(plan.split(into: 4).map(\.connections) == [2, 2, 1, 1])
        #expect(plan.split(into: 4).map(\.leastActions) == [3, 3, 2, 2])
    }

    @Test("A report path that cannot be written is rejected before the run")
    func report() throws {
        let directory = FileManager.default.temporaryDirectory.path
        try LoadResult.checkReport(at: directory + "/report-\(UUID().uuidString).html")
        for path in [directory, directory + "/", directory + "/nowhere/report.html", ""] {
            #expect(throws: LoadPlanError.self) { try LoadResult.checkReport(at: path) }
        }
    }

    @Test("A search for the limit needs a start rate and allows no kills")
    func limits() throws {
        let limit = try LimitPlan(p99: .milliseconds(100), errorShare: 0.01)
        let kill = KillPlan(target: .any, interval: .seconds(1))
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(scenario: .add, connections: 1, duration: .seconds(1), limit: limit, model: "animals")
        }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(
                scenario: .add, connections: 1, rate: 1, duration: .seconds(1), kill: kill, limit: limit,
                model: "animals")
        }
        #expect(throws: LoadPlanError.self) {
            try LoadPlan(
                scenario: .add, connections: 1, rate: 1, duration: .seconds(1), outage: .seconds(1), limit: limit,
                model: "animals")
        }
        #expect(throws: LoadPlanError.self) { try LimitPlan(p99: .zero, errorShare: 0) }
        #expect(throws: LoadPlanError.self) { try LimitPlan(p99: .seconds(1), errorShare: 1) }
    }
}
