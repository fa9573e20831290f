import Foundation
import Testing

@testable import AviaryLoad

@Suite struct ReportTests {
    private func result(hostile: String = "") throws -> LoadResult {
        let recorder = Recorder(start: .now, duration: .seconds(10))
        recorder.record(.add, .milliseconds(12))
        recorder.record(Operation(hostile.isEmpty ? "add.save" : hostile), .milliseconds(3))
        recorder.countAnswer(to: .addSave, error: hostile.isEmpty ? nil : hostile, bytes: 10)
        var result = LoadResult(
            plan: try LoadPlan(scenario: .add, connections: 2, duration: .seconds(10), model: "animals"),
            origin: "http://127.0.0.1:1", launch: "a server", date: Date(timeIntervalSince1970: 0), existing: 0
        )
        result.duration = .seconds(10)
        result.measurements = recorder.result
        result.kills = [Kill(process: "store", pid: 7, seconds: 3)]
        result.restarts = 1
        result.client = ClientUtilization(processes: 1, processors: 1.9, machineShare: 1, cores: 2, lateness: 40)
        result.server = ServerStatistics(
            members: [.init(process: hostile.isEmpty ? "store" : hostile, processorSeconds: 1, mostMemory: 5e7)],
            flushes: 4, changeSets: 10,
            meanFlush: 1.5, mostFlush: 5, batchSizes: [.init(upTo: 4, count: 3), .init(upTo: nil, count: 1)],
            durability: "WAL", versions: ["swift": hostile.isEmpty ? "6" : hostile]
        )
        var ramp = Ramp(limit: try LimitPlan(p99: .milliseconds(100), errorShare: 0.01))
        ramp.add(RampStep(rate: 50, done: 50, p50: 3, p99: 10, errorShare: 0, reason: nil))
        ramp.add(
            RampStep(
                rate: 75, done: 60, p50: 30, p99: 400, errorShare: 0.2, reason: hostile.isEmpty ? "too slow" : hostile))
        result.ramp = ramp
        if !hostile.isEmpty { result.violations.add(.lost, record: hostile, hostile) }
        return result
    }

    private func page(_ result: LoadResult, _ commandLine: [String]) -> String {
        ReportPage(result: result, commandLine: commandLine, machine: .current).html
    }

    @Test func everythingIsEscaped() throws {
        let hostile = "\"><script>alert('1')</script>&\u{301}"
        let html = page(try result(hostile: hostile), ["zoo", hostile])
        #expect(!html.contains("<script"))
        #expect(!html.contains("alert('") && !html.contains("<script"))
        #expect(html.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\u{301}"))
        #expect(html.contains("Failed."))
    }

    @Test func plotsAreEscapedToo() {
        let plot = LinePlot(
            title: "<a\">", unit: "<u>",
            lines: [.init(name: "</path>", style: 0, points: [(1, 2), (2, 3)], hasDots: true)],
            marks: [1], end: 3, endUnit: "<s>"
        ).svg
        #expect(plot.contains("aria-label=\"&lt;a&quot;&gt;\""))
        #expect(!plot.contains("<u>") && !plot.contains("<s>"))
        #expect(plot.contains("<title>&lt;/path&gt;</title>"))
        #expect(plot.contains("class=\"kill\""))
    }

    @Test func needsNothingFromElsewhere() throws {
        let html = page(try result(), ["zoo", "loadtest"])
        #expect(
            !html.contains("<script") && !html.contains("src=") && !html.contains("@import") && !html.contains("url("))
        #expect(html.contains("prefers-color-scheme:dark"))
        #expect(html.contains("zoo loadtest"))
        #expect(html.contains("Good."))
        #expect(html.contains("The client is the bottleneck"))
        #expect(html.contains("Throughput against the ramp"))
        #expect(html.contains("Batches of up to 4"))
    }

    @Test(arguments: [0, 0.001, 7, 99, 12_345, .infinity, .nan])
    func axesHoldTheirValues(_ value: Double) {
        let axis = Axis(upTo: value, unit: "ms")
        #expect(axis.ticks.count >= 2 && axis.ticks.count <= 7)
        #expect(axis.end.isFinite)
        if value.isFinite { #expect(axis.end >= value) }
    }

    @Test func figuresAreReadable() {
        #expect(NumberFormat.grouped(1_234_567) == "1,234,567")
        #expect(NumberFormat.text(0.4213) == "0.42")
        #expect(NumberFormat.text(12.34) == "12.3")
    }

    @Test func jsonKeysStay() throws {
        let object = try JSONSerialization.jsonObject(with: Data(result(hostile: "x").json().utf8)) as? [String: Any]
        let keys = try #require(object).keys
        for key in [
            "all", "steps", "timeline", "began", "bytes", "errors", "client", "server", "limit", "machine", "scenario",
            "seconds",
            "requests", "acknowledged", "refused", "unknown", "retried", "kills", "throughput", "latency", "violations",
        ] {
            #expect(keys.contains(key))
        }
    }
}
