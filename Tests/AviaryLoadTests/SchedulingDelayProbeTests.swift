import Foundation
import Histogram
import NIOPosix
import TestSupport
import Testing

@testable import AviaryLoad

@Suite("A client process sees how late it comes itself") struct SchedulingDelayProbeTests {
    @Test(
        "From the start of what counts it is due a hundred times a second; what it was due before and came late to counts with all its time"
    )
    func late() async throws {
        // The start in the past simulates a process that was blocked for the first second.
        let recorder = Recorder(start: .now - .seconds(1), duration: .seconds(20))
        let ticker = Task {
            await SchedulingDelayProbe(recorder: recorder, eventLoops: MultiThreadedEventLoopGroup.singleton).run()
        }
        try await eventually("what was due before is told, and more") { recorder.result.lateness.totalCount >= 140 }
        ticker.cancel()
        await ticker.value
        let due = Int((ContinuousClock.now - recorder.start) / .milliseconds(10)) + 1
        let lateness = recorder.result.lateness
        #expect(lateness.totalCount >= 140 && lateness.totalCount <= due)
        #expect(lateness.milliseconds(100) >= 1000)
        // Half of the first hundred ticks were at least half a second late, however many later ticks were on time.
        #expect(lateness.milliseconds(100 - 100 * 50 / Double(lateness.totalCount)) >= 400)
    }

    @Test("It tells in a closed loop, too")
    func closedLoop() async throws {
        try await FakeAdmin(nil).serve { origin in
            let plan = try LoadPlan(
                scenario: .browse, connections: 2, duration: .milliseconds(300), leastActions: 40, model: "animals")
            let result = try await LoadTest(
                plan: plan, target: .running(origin: origin, credentials: nil), progress: { _ in }
            ).run()
            #expect(result.client?.lateness != nil && result.measurements.lateness.totalCount > 0)
        }
    }
}
