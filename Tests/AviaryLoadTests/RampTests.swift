@testable import AviaryLoad
import Testing

@Suite("A search for the limit raises the rate, then narrows the gap") struct RampTests {
    /// All rates that are tried on a server that takes so many a second.
    private func rates(from first: Double, capacity: Double) throws -> (tried: [Double], found: Double?) {
        var ramp = Ramp(limit: try LimitPlan(p99: .milliseconds(100), errorShare: 0.01))
        var rate = first
        while ramp.steps.count < 100 {
            ramp.add(RampStep(rate: rate, done: min(rate, capacity), p50: 1, p99: 10, errorShare: 0, reason: rate <= capacity ? nil : "too much"))
            guard let next = ramp.nextRate else { break }
            rate = next
        }
        return (ramp.steps.map(\.rate), ramp.highest)
    }

    @Test("It ends below the limit, and near it", arguments: [120.0, 500, 10_000])
    func found(_ capacity: Double) throws {
        let (tried, found) = try rates(from: 50, capacity: capacity)
        let limit = try #require(found)
        #expect(limit <= capacity && limit >= capacity * 0.85, "\(tried)")
        #expect(tried.count < 30)
    }

    @Test("A first rate that is too much already is told as that, after one step")
    func nothingHolds() throws {
        let (tried, found) = try rates(from: 50, capacity: 10)
        #expect(found == nil && tried == [50])
    }
}

@Suite("The harness says when it is the bottleneck itself") struct ClientUseTests {
    private func verdict(processors: Double, machine: Double?, lateness: Double?) -> ClientUse.Verdict {
        ClientUse(processes: 1, processors: processors, machineShare: machine, cores: 2, lateness: lateness).verdict
    }

    @Test("Late on a machine that has time left: it is, and more processes may help")
    func late() {
        #expect(verdict(processors: 1, machine: 0.6, lateness: 30) == .clientIsLate)
        #expect(verdict(processors: 1, machine: nil, lateness: 30) == .clientIsLate)
        #expect(verdict(processors: 1, machine: 0.6, lateness: 1) == .fine)
    }

    @Test("On a machine that has none it depends on who took it")
    func full() {
        #expect(verdict(processors: 1.4, machine: 1, lateness: 30) == .clientTakesMost)
        #expect(verdict(processors: 0.4, machine: 1, lateness: 30) == .machineIsFull)
        #expect(verdict(processors: 0.4, machine: 1, lateness: nil) == .machineIsFull)
    }
}

@Suite("What a server of our own says of itself is added up over its kills") struct ServerWatchTests {
    @Test("Samples are read with their labels; comments and what is no number are not")
    func samples() {
        let samples = PrometheusSample.all(in: """
            # HELP process_cpu_seconds_total seconds
            process_cpu_seconds_total{process="worker-1"} 1.5
            aviary_store_flush_seconds_bucket{le="+Inf"} 12
            aviary_store_batches_total 4
            nonsense
            """)
        #expect(samples.map(\.name) == ["process_cpu_seconds_total", "aviary_store_flush_seconds_bucket", "aviary_store_batches_total"])
        #expect(samples.first?.labels == ["process": "worker-1"] && samples.first?.value == 1.5)
        #expect(samples.dropFirst().first?.labels == ["le": "+Inf"])
    }
}
