@testable import AviaryLoad
import Testing

@Suite struct RecorderTests {
    @Test func percentilesAreThoseOfTheWholeRun() throws {
        var latencies = Latencies()
        for milliseconds in 1...1000 { latencies.record(.addSave, .milliseconds(milliseconds)) }
        let summary = try #require(latencies.summaries["add.save"])
        #expect(summary.count == 1000)
        #expect(abs(summary.p50 - 500) <= 1)
        #expect(abs(summary.p99 - 990) <= 1)
        #expect(abs(summary.max - 1000) <= 1)
        #expect(abs(summary.mean - 500.5) <= 1)
    }

    @Test func nothingIsTooLongOrTooShort() {
        var latencies = Latencies()
        latencies.record(.list, .zero)
        latencies.record(.list, .seconds(86_400))
        #expect(latencies.summaries["browse.list"]?.count == 2)
    }

    @Test func timelineFallsIntoIntervals() {
        var timeline = Timeline(duration: .seconds(12))
        timeline.countRequest(at: .milliseconds(50))
        timeline.countRequest(at: .milliseconds(250))
        timeline.countRequest(at: .milliseconds(260))
        timeline.recordAction(2000, at: .milliseconds(250))
        timeline.countRequest(at: .seconds(100_000))
        #expect(timeline.intervals.map(\.requests) == [1, 0, 2])
        #expect(timeline.intervals[1].latency(50) == nil)
        #expect(abs((timeline.intervals[2].latency(50) ?? 0) - 2) < 0.1)
    }

    @Test func aPauseWithoutReadsIsSeenAlsoAtTheEnd() {
        let recorder = Recorder(start: .now - .seconds(30), duration: .seconds(20))
        recorder.countAnswer(to: .addSave, isSuccess: true)
        recorder.countAnswer(to: .list, isSuccess: false)
        #expect(recorder.result.longestReadPause == .seconds(20))
        let quick = Recorder(start: .now, duration: .seconds(20))
        quick.countAnswer(to: .list, isSuccess: true)
        #expect(quick.result.longestReadPause < .seconds(20))
    }
}
