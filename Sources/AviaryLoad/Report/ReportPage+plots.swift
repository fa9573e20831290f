extension ReportPage {
    var plots: String {
        throughput + percentiles + latency
    }

    /// The load's own time: what came in after it is not drawn.
    private var seconds: Double { result.plan.duration.seconds }
    private var interval: Double { result.measurements.timeline.length.seconds }
    private var kills: [Double] { result.kills.map(\.seconds) }

    private func points(_ value: (Timeline.Interval) -> Double?) -> [(x: Double, y: Double)] {
        result.measurements.timeline.intervals.enumerated().compactMap { index, interval in
            let middle = (Double(index) + 0.5) * self.interval
            guard middle <= seconds, let value = value(interval) else { return nil }
            return (middle, value)
        }
    }

    private func overTime(_ title: String, unit: String, _ lines: [LinePlot.Line]) -> LinePlot {
        LinePlot(title: title, unit: unit, lines: lines, marks: kills, end: seconds, endUnit: "s")
    }

    private var throughput: String {
        var lines = [
            LinePlot.Line(name: "Answered requests", style: 0, points: points { Double($0.requests) / interval })
        ]
        var keys = [("requests/s", "--c0")]
        if result.measurements.failedRequests > 0 {
            lines.append(
                LinePlot.Line(name: "Failed requests", style: 3, points: points { Double($0.failed) / interval }))
            keys.append(("of these failed", "--c3"))
        }
        let plot = overTime("Requests a second over the time of the run", unit: "requests/s", lines)
        return section("Throughput over time", keys: keys, svg: plot.svg)
    }

    private var latency: String {
        func line(_ name: String, _ style: Int, _ percentile: Double) -> LinePlot.Line {
            LinePlot.Line(name: name, style: style, points: points { $0.latency(percentile) })
        }
        let plot = overTime(
            "Latency of actions over the time of the run", unit: "ms",
            [line("p50", 0, 50), line("p99", 2, 99), line("max", 3, 100)]
        )
        return section(
            "Latency of actions over time", keys: [("p50, ms", "--c0"), ("p99, ms", "--c2"), ("max, ms", "--c3")],
            svg: plot.svg)
    }

    private var percentiles: String {
        "<section><h2 id=\"percentiles\">Latency percentiles by operation</h2>"
            + key([("p50", "--c0"), ("p90", "--c1"), ("p99", "--c2"), ("p99.9", "--c3"), ("up to max", "--soft")])
            + picture(PercentilePlot(rows: rows).svg, label: "percentiles") + "</section>"
    }

    /// Of a search for the limit: how much was done of what was due, and how long it took.
    var ramp: String {
        guard let ramp = result.ramp else { return "" }
        let steps = ramp.steps.sorted { $0.rate < $1.rate }
        let end = steps.last?.rate ?? 1
        let done = LinePlot(
            title: "Actions done a second against those due", unit: "done/s",
            lines: [
                LinePlot.Line(name: "As many as are due", style: 4, points: [(0, 0), (end, end)]),
                LinePlot.Line(name: "Done", style: 0, points: steps.map { ($0.rate, $0.done) }, hasDots: true),
            ],
            marks: [], end: end, endUnit: "due/s"
        )
        let latency = LinePlot(
            title: "Latency of actions against those due a second", unit: "ms",
            lines: [
                LinePlot.Line(
                    name: "The bound of p99", style: 4,
                    points: [(0, ramp.limit.p99.milliseconds), (end, ramp.limit.p99.milliseconds)]),
                LinePlot.Line(name: "p50", style: 0, points: steps.map { ($0.rate, $0.p50) }, hasDots: true),
                LinePlot.Line(name: "p99", style: 2, points: steps.map { ($0.rate, $0.p99) }, hasDots: true),
            ],
            marks: [], end: end, endUnit: "due/s"
        )
        let rows = ramp.steps.map { step in
            "<tr><th scope=\"row\">\(Markup.escape(Figure.text(step.rate)))</th>"
                + [step.done, step.p50, step.p99].map { "<td>\(Markup.escape(Figure.text($0)))</td>" }.joined()
                + "<td>\(Markup.escape(Figure.percent(step.errorShare)))</td><td class=\"text\">\(Markup.escape(step.reason ?? "holds"))</td></tr>"
        }
        let found = ramp.text.prefix(1).uppercased() + ramp.text.dropFirst() + "."
        return """
            <section><h2 id="ramp">Throughput against the ramp</h2><p class="soft">\(Markup.escape(found))</p>\
            \(key([("done/s", "--c0"), ("as many as are due", "--soft")]))\(picture(done.svg, label: "ramp"))\
            \(key([("p50, ms", "--c0"), ("p99, ms", "--c2"), ("the bound of p99", "--soft")]))\(picture(latency.svg, label: "ramp"))\
            \(scrolling(heads: ["due/s", "done/s", "p50, ms", "p99, ms", "failed", "verdict"], rows: rows, label: "ramp"))</section>
            """
    }

    private func section(_ title: String, keys: [(String, String)], svg: String) -> String {
        let keys = kills.isEmpty ? keys : keys + [("a process killed", "--bad")]
        let id = title.lowercased().split(separator: " ").joined(separator: "-")
        return
            "<section><h2 id=\"\(Markup.escape(id))\">\(Markup.escape(title))</h2>\(key(keys))\(picture(svg, label: id))</section>"
    }

    /// On a phone it keeps the size in which it can be read, and is scrolled.
    private func picture(_ svg: String, label: String) -> String {
        "<div class=\"wide\" role=\"group\" aria-labelledby=\"\(Markup.escape(label))\" tabindex=\"0\">\(svg)</div>"
    }

    private func key(_ entries: [(String, String)]) -> String {
        "<p class=\"key\">"
            + entries.map { "<span style=\"--key:var(\($0.1))\">\(Markup.escape($0.0))</span>" }.joined() + "</p>"
    }
}
