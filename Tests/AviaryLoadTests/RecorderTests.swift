import Foundation
import Histogram
import Testing

@testable import AviaryLoad

@Suite("Recording measurements") struct RecorderTests {
    private func summary(_ latencies: [Duration]) -> LatencySummary {
        var histogram = Latencies.histogram(.three)
        for latency in latencies { histogram.record(latency) }
        return LatencySummary(histogram)
    }

    @Test("Percentiles are accurate to a thousandth")
    func percentiles() {
        let summary = summary((1...1000).map { .milliseconds($0) })
        #expect(summary.count == 1000)
        #expect(abs(summary.p50 - 500) <= 1)
        #expect(abs(summary.p90 - 900) <= 1)
        #expect(abs(summary.p99 - 990) <= 1)
        #expect(abs(summary.p999 - 999) <= 1)
        #expect(abs(summary.max - 1000) <= 1)
        #expect(abs(summary.mean - 500.5) <= 1)
    }

    @Test("Latencies of any length are counted")
    func extremes() {
        #expect(summary([.zero, .seconds(-1), .seconds(86_400)]).count == 3)
    }

    @Test("The timeline has intervals of equal length")
    func timeline() {
        var timeline = Timeline(duration: .seconds(12))
        timeline.countRequest(at: .milliseconds(50))
        timeline.countRequest(at: .milliseconds(250), failed: true)
        timeline.countRequest(at: .milliseconds(260))
        timeline.recordAction(2000, at: .milliseconds(250))
        timeline.countRequest(at: .seconds(100_000))
        timeline.countRequest(at: .seconds(-1))
        #expect(timeline.intervals.map(\.requests) == [1, 0, 2])
        #expect(timeline.intervals.map(\.failed) == [0, 0, 1])
        #expect(timeline.intervals[1].latency(50) == nil)
        #expect(abs((timeline.intervals[2].latency(50) ?? 0) - 2) < 0.1)
    }

    @Test("A pause in reads extends to the end of the run, and a failed read does not end it")
    func pause() {
        let recorder = Recorder(start: .now - .seconds(30), duration: .seconds(20))
        recorder.countAnswer(to: .addSave)
        recorder.countAnswer(to: .list, error: "status 503")
        #expect(recorder.result.longestReadPause == .seconds(20))
        let quick = Recorder(start: .now, duration: .seconds(20))
        quick.countAnswer(to: .list)
        #expect(quick.result.longestReadPause < .seconds(20))
    }

    @Test("Errors are counted by kind and operation, and bytes are summed")
    func errors() {
        let recorder = Recorder(start: .now, duration: .seconds(3600))
        recorder.countAnswer(to: .list, bytes: 100)
        recorder.countAnswer(to: .list, error: "status 503", bytes: 20)
        recorder.countAnswer(to: .addSave, error: "connection lost")
        let result = recorder.result
        #expect(result.errors == ["status 503": 1, "connection lost": 1])
        #expect(result.operations[.list]?.errors == ["status 503": 1])
        #expect(result.bytes == 120 && result.requests == 3 && result.failedRequests == 2)
    }

    @Test("Unsent actions count among all latencies, but not among the actions")
    func unsent() {
        let recorder = Recorder(start: .now, duration: .seconds(3600))
        for _ in 0..<98 { recorder.record(.add, .milliseconds(1)) }
        recorder.recordUnsent([.seconds(2), .seconds(2)])
        #expect(recorder.result.all.milliseconds(50) < 2)
        #expect(recorder.result.all.milliseconds(99) > 1900)
        #expect(recorder.result.actions == 98)
    }

    @Test(
        "Measurements of another process are merged after a round trip through JSON")
    func merging() throws {
        let (one, other) = (
            Recorder(start: .now, duration: .seconds(3600)), Recorder(start: .now, duration: .seconds(3600))
        )
        for milliseconds in 1...50 { one.record(.add, .milliseconds(milliseconds)) }
        for milliseconds in 51...100 { other.record(.add, .milliseconds(milliseconds)) }
        other.countAnswer(to: .addSave, error: "status 500", bytes: 7)
        var sum = one.result
        sum.add(try JSONDecoder().decode(Measurements.self, from: JSONEncoder().encode(other.result)))
        let summary = try #require(sum.latencies["add"])
        #expect(summary.count == 100 && abs(summary.p50 - 50) <= 1 && abs(summary.p99 - 99) <= 1)
        #expect(sum.all.totalCount == 100 && sum.actions == 100 && sum.requests == 1 && sum.bytes == 7)
        #expect(sum.operations[.addSave]?.errors == ["status 500": 1])
        #expect(sum.timeline.intervals.reduce(0) { $0 + $1.actions.totalCount } == 100)
    }

    @Test("Operations sort by action, each before its steps")
    func order() {
        let names = ["delete.ask", "delete-undo", "delete", "delete-undo.ask", "add.save", "add"]
        #expect(
            names.map { Operation($0) }.sorted().map(\.name) == [
                "add", "add.save", "delete", "delete.ask", "delete-undo", "delete-undo.ask",
            ])
    }

    @Test("Recent statistics cover all client processes, and draining resets them")
    func recent() throws {
        let (own, other) = (
            Recorder(start: .now, duration: .seconds(3600)), Recorder(start: .now, duration: .seconds(3600))
        )
        own.countAnswer(to: .list)
        other.countAnswer(to: .list, error: "500")
        other.record(.browse, .milliseconds(250))
        own.addRecent(
            try JSONDecoder().decode(RecentStatistics.self, from: try JSONEncoder().encode(other.drainRecent())))
        let recent = own.drainRecent()
        #expect(recent.requests == 2 && recent.failed == 1 && abs(recent.latencies.milliseconds(99) - 250) < 5)
        #expect(own.drainRecent().requests == 0 && other.drainRecent().requests == 0)
    }
}
