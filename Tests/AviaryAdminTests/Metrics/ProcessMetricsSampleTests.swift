import AviaryMetrics
import Foundation
import Testing

@testable import AviaryAdmin

@Suite("Process metrics")
struct ProcessMetricsSampleTests {
    @Test("The current process has plausible memory, CPU time, uptime and descriptors")
    func own() throws {
        let figures = try #require(ProcessMetricsSample(getpid()))
        #expect(figures.residentMemory > 1 << 20)
        #expect(figures.cpuTime > 0)
        #expect(figures.uptime > 0 && figures.uptime < Date().timeIntervalSince1970)
        // Other tests open and close descriptors at the same time.
        let open = try #require(figures.openDescriptors)
        #expect(open >= 3)
        #expect(try open <= #require(figures.descriptorLimit))
    }

    @Test("A process that does not exist has no metrics")
    func none() {
        #expect(ProcessMetricsSample(Int32.max) == nil)
        #expect(ProcessMetricsSample(-1) == nil)
    }

    @Test("A later process with the same identifier is not mistaken for the earlier one")
    func identity() throws {
        let figures = try #require(ProcessMetricsSample(getpid()))
        #expect(ProcessMetrics.isAlive(.init(process: getpid(), start: figures.startTicks)))
        #expect(!ProcessMetrics.isAlive(.init(process: getpid(), start: figures.startTicks - 1)))
        #expect(!ProcessMetrics.isAlive(.init(process: Int32.max, start: 1)))
    }
}
