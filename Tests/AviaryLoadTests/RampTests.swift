import Testing

@testable import AviaryLoad

@Suite("Searching for the limit") struct RampTests {
    /// Returns all rates that the search tries on a server with a capacity in actions per second.
    private func rates(from first: Double, capacity: Double) throws -> (tried: [Double], found: Double?) {
        var ramp = Ramp(limit: try LimitPlan(p99: .milliseconds(100), errorShare: 0.01))
        var rate = first
        while ramp.steps.count < 100 {
            ramp.add(
                RampStep(
                    rate: rate, done: min(rate, capacity), p50: 1, p99: 10, errorShare: 0,
                    reason: rate <= capacity ? nil : "too much"))
            guard let next = ramp.nextRate else { break }
            rate = next
        }
        return (ramp.steps.map(\.rate), ramp.highest)
    }

    @Test("The search ends just below the capacity", arguments: [120.0, 500, 10_000])
    func found(_ capacity: Double) throws {
        let (tried, found) = try rates(from: 50, capacity: capacity)
        let limit = try #require(found)
        #expect(limit <= capacity && limit >= capacity * 0.85, "\(tried)")
        #expect(tried.count < 30)
    }

    @Test(
        "A first rate above the capacity is halved until it holds, and is then refined",
        arguments: [1.0, 10, 40])
    func downwards(_ capacity: Double) throws {
        let (tried, found) = try rates(from: 50, capacity: capacity)
        let limit = try #require(found)
        #expect(limit <= capacity && limit >= capacity * 0.8, "\(tried)")
        #expect(tried.starts(with: [50, 25]) && tried.count < 20)
    }

    @Test("If no rate holds, the search ends without a result")
    func nothingHolds() throws {
        let (tried, found) = try rates(from: 50, capacity: 0)
        #expect(found == nil && tried.count == LimitPlan.mostDescents + 1)
    }

    @Test("If every rate holds, the limit is reported as not found")
    func endOfScale() throws {
        let (tried, found) = try rates(from: 50, capacity: .infinity)
        #expect(found == LoadPlan.highestRate && tried.last == LoadPlan.highestRate)
        var ramp = Ramp(limit: try LimitPlan(p99: .milliseconds(100), errorShare: 0.01))
        func step(_ rate: Double, _ reason: String? = nil) -> RampStep {
            RampStep(rate: rate, done: rate, p50: 1, p99: 10, errorShare: 0, reason: reason)
        }
        ramp.add(step(100))
        #expect(!ramp.isBounded && ramp.text.contains("not found"))
        ramp.add(step(150, "too much"))
        #expect(ramp.isBounded && ramp.text.hasPrefix("100 actions a second hold"))
    }
}

@Suite("Detecting a client bottleneck") struct ClientUtilizationTests {
    private func verdict(processors: Double, machine: Double?, lateness: Double?) -> ClientUtilization.Verdict {
        ClientUtilization(processes: 1, processors: processors, machineShare: machine, cores: 2, lateness: lateness)
            .verdict
    }

    @Test("A late client on a machine with spare time is the bottleneck")
    func late() {
        #expect(verdict(processors: 1, machine: 0.6, lateness: 30) == .clientIsLate)
        #expect(verdict(processors: 1, machine: nil, lateness: 30) == .clientIsLate)
        #expect(verdict(processors: 1, machine: 0.6, lateness: 1) == .fine)
    }

    @Test("A late step is repeated with twice as many processes, up to a maximum")
    func more() {
        func more(processes: Int, lateness: Double, most: Int, machine: Double = 0.6) -> Int? {
            ClientUtilization(processes: processes, processors: 1, machineShare: machine, cores: 2, lateness: lateness)
                .moreProcesses(most: most)
        }
        #expect(more(processes: 1, lateness: 30, most: 16) == 2 && more(processes: 2, lateness: 30, most: 3) == 3)
        #expect(more(processes: 3, lateness: 30, most: 3) == nil && more(processes: 1, lateness: 1, most: 16) == nil)
        #expect(more(processes: 1, lateness: 30, most: 16, machine: 1) == nil)
    }

    @Test("On a busy machine, the verdict depends on how much of it the client uses")
    func full() {
        #expect(verdict(processors: 1.4, machine: 1, lateness: 30) == .clientTakesMost)
        #expect(verdict(processors: 0.4, machine: 1, lateness: 30) == .machineIsFull)
        #expect(verdict(processors: 0.4, machine: 1, lateness: nil) == .machineIsFull)
    }
}
