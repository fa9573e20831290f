extension ReportPage {
    var plots: String {
        throughput + percentiles + latency
    }

    /// The load's own time: what came in after it is not drawn.
    private var seconds: Double { result.plan.duration.seconds }
    private var interval: Double { result.measurements.timeline.length.seconds }
    private var kills: [Double] { result.kills.map(\.seconds) }

    private func points(_ value: (Timeline.Interval) -> Double?) -> [(seconds: Double, value: Double)] {
        result.measurements.timeline.intervals.enumerated().compactMap { index, interval in
            let middle = (Double(index) + 0.5) * self.interval
            guard middle <= seconds, let value = value(interval) else { return nil }
            return (middle, value)
        }
    }

    private var throughput: String {
        let plot = LinePlot(
            title: "Requests a second over the time of the run", unit: "requests/s",
            lines: [LinePlot.Line(name: "Answered requests", style: 0, points: points { Double($0.requests) / interval })],
            marks: kills, seconds: seconds
        )
        return section("Throughput over time", keys: [("requests/s", "--c0")], svg: plot.svg)
    }

    private var latency: String {
        func line(_ name: String, _ style: Int, _ percentile: Double) -> LinePlot.Line {
            LinePlot.Line(name: name, style: style, points: points { $0.latency(percentile) })
        }
        let plot = LinePlot(
            title: "Latency of actions over the time of the run", unit: "ms",
            lines: [line("p50", 0, 50), line("p99", 2, 99), line("max", 3, 100)], marks: kills, seconds: seconds
        )
        return section("Latency of actions over time", keys: [("p50, ms", "--c0"), ("p99, ms", "--c2"), ("max, ms", "--c3")], svg: plot.svg)
    }

    private var percentiles: String {
        "<section><h2>Latency percentiles by operation</h2>"
            + key([("p50", "--c0"), ("p90", "--c1"), ("p99", "--c2"), ("p99.9", "--c3"), ("up to max", "--rule")])
            + PercentilePlot(rows: rows).svg + "</section>"
    }

    private func section(_ title: String, keys: [(String, String)], svg: String) -> String {
        let keys = kills.isEmpty ? keys : keys + [("a process killed", "--bad")]
        return "<section><h2>\(Markup.escape(title))</h2>\(key(keys))\(svg)</section>"
    }

    private func key(_ entries: [(String, String)]) -> String {
        "<p class=\"key\">" + entries.map { "<span style=\"--key:var(\($0.1))\">\(Markup.escape($0.0))</span>" }.joined() + "</p>"
    }
}
