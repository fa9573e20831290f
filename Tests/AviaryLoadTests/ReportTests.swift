@testable import AviaryLoad
import Foundation
import Testing

@Suite struct ReportTests {
    private func result(hostile: String = "") throws -> LoadResult {
        let recorder = Recorder(start: .now, duration: .seconds(10))
        recorder.record(.add, .milliseconds(12))
        recorder.record(.addSave, .milliseconds(3))
        recorder.countAnswer(to: .addSave, isSuccess: true)
        var violations = ViolationList()
        if !hostile.isEmpty { violations.add(.lost, record: hostile, hostile) }
        return LoadResult(
            plan: try LoadPlan(scenario: .add, connections: 2, duration: .seconds(10), model: "animals"),
            origin: "http://127.0.0.1:1", launch: "a server", date: Date(timeIntervalSince1970: 0), duration: .seconds(10),
            measurements: recorder.result, counts: WriteCounts(), unsent: 0,
            kills: [Kill(process: "store", pid: 7, seconds: 3)], restarts: 1, violations: violations
        )
    }

    private func page(_ result: LoadResult, _ commandLine: [String]) -> String {
        ReportPage(result: result, commandLine: commandLine, machine: .current).html
    }

    @Test func everythingIsEscaped() throws {
        let hostile = "\"><script>alert('1')</script>&\u{301}"
        let html = page(try result(hostile: hostile), ["zoo", hostile])
        #expect(!html.contains("<script"))
        #expect(!html.contains("alert('"))
        #expect(html.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;\u{301}"))
        #expect(html.contains("Failed."))
    }

    @Test func plotsAreEscapedToo() {
        let plot = LinePlot(
            title: "<a\">", unit: "<u>", lines: [.init(name: "</path>", style: 0, points: [(1, 2), (2, 3)])],
            marks: [1], seconds: 3
        ).svg
        #expect(plot.contains("aria-label=\"&lt;a&quot;&gt;\""))
        #expect(!plot.contains("<u>"))
        #expect(plot.contains("<title>&lt;/path&gt;</title>"))
        #expect(plot.contains("class=\"kill\""))
    }

    @Test func needsNothingFromElsewhere() throws {
        let html = page(try result(), ["zoo", "loadtest"])
        #expect(!html.contains("<script") && !html.contains("src=") && !html.contains("@import") && !html.contains("url("))
        #expect(html.contains("prefers-color-scheme:dark"))
        #expect(html.contains("zoo loadtest"))
        #expect(html.contains("Good."))
    }

    @Test(arguments: [0, 0.001, 7, 99, 12_345, .infinity, .nan])
    func axesHoldTheirValues(_ value: Double) {
        let axis = Axis(upTo: value, unit: "ms")
        #expect(axis.ticks.count >= 2 && axis.ticks.count <= 7)
        #expect(axis.end.isFinite)
        if value.isFinite { #expect(axis.end >= value) }
    }

    @Test func figuresAreReadable() {
        #expect(Figure.grouped(1_234_567) == "1,234,567")
        #expect(Figure.text(0.4213) == "0.42")
        #expect(Figure.text(12.34) == "12.3")
    }

    @Test func jsonKeysStay() throws {
        let object = try JSONSerialization.jsonObject(with: Data(result(hostile: "x").json().utf8)) as? [String: Any]
        let keys = try #require(object).keys
        for key in ["scenario", "seconds", "requests", "acknowledged", "refused", "unknown", "retried", "kills", "throughput", "latency", "violations"] {
            #expect(keys.contains(key))
        }
    }
}
