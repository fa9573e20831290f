import Foundation
import Histogram
import NIOPosix
import TestSupport
import Testing

@testable import AviaryLoad

@Suite("Measuring the scheduling delay of the client")
struct SchedulingDelayProbeTests {
    @Test("The probe is due every 10 milliseconds from the start, and late ticks count with their full delay")
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

    @Test("The delay is reported for a closed loop")
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
