import Foundation
import Histogram

/// A report of a run as one self-contained HTML page, without scripts, fonts or external images.
struct ReportPage {
    let result: LoadResult
    let commandLine: [String]
    let machine: Machine

    var html: String {
        let title = "Load test: \(result.plan.scenario.name)"
        return """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Markup.escape(title))</title><style>\(ReportStyle.css)</style></head><body><main>
            <h1>\(Markup.escape(title))</h1><p class="soft">\(Markup.escape(summary))</p>
            \(verdict)\(advice)\(figures)\(ramp)\(plots)\(table)\(errors)\(server)\(setting)
            </main></body></html>

            """
    }

    private var summary: String {
        let plan = result.plan
        let pace =
            plan.limit != nil
            ? "a rising rate"
            : plan.rate.map { "\(NumberFormat.text($0)) actions a second, due at fixed times" }
                ?? "each as fast as it is answered"
        let parts = [
            "\(plan.connections) browsers", pace,
            NumberFormat.seconds(plan.duration.seconds) + (plan.limit == nil ? "" : " a step"),
            "\(NumberFormat.grouped(result.existing)) records to begin with", "on \(ISO8601.text(result.date))",
        ]
        return parts.joined(separator: ", ")
    }

    private var verdict: String {
        guard !result.isGood else {
            let restored =
                result.backup == nil ? "" : " So it was after a backup that was taken under load had been restored."
            return
                "<section class=\"verdict\"><p><strong>Good.</strong> Every acknowledged write is there, and nothing else.\(restored)</p></section>"
        }
        let items = result.violations.first.map { violation in
            "<li><b>\(Markup.escape(violation.kind.rawValue))</b> \(violation.record.map { "<code>\(Markup.escape($0))</code> " } ?? "")\(Markup.escape(violation.text))</li>"
        }
        return
            "<section class=\"verdict bad\"><p><strong>Failed.</strong> \(Markup.escape(result.violations.summary)).</p><ul>\(items.joined())</ul></section>"
    }

    private var advice: String {
        result.client?.advice.map { "<section class=\"verdict note\"><p>\(Markup.escape($0))</p></section>" } ?? ""
    }

    private var setting: String {
        let client =
            result.client.map {
                " The client took \(NumberFormat.decimal($0.processors, digits: 1)) of \($0.cores) processors in \($0.processes) \($0.processes == 1 ? "process" : "processes")."
            } ?? ""
        return """
            <section><h2>How it was run</h2><p><code>\(Markup.escape(commandLine.joined(separator: " ")))</code></p>
            <p class="soft">\(Markup.escape(result.launch)) at \(Markup.escape(result.origin)), with the load from the same command. \
            \(Markup.escape(machine.processor)), \(machine.cores) cores, \(Markup.escape(NumberFormat.text(machine.memory))) GiB of memory, \
            \(Markup.escape(machine.system)).\(Markup.escape(versions))\(Markup.escape(client))</p></section>
            """
    }

    private var versions: String {
        let versions = (result.server?.versions ?? [:]).sorted { $0.key < $1.key }.map {
            "\($0.key.capitalized) \($0.value)"
        }
        return versions.isEmpty ? "" : " The server: \(versions.joined(separator: ", "))."
    }
}

extension ReportPage {
    var figures: String {
        let (measured, counts) = (result.measurements, result.counts)
        var figures: [(String, String, String)] = [
            (
                "Requests", NumberFormat.grouped(measured.requests),
                "in \(NumberFormat.seconds(result.duration.seconds))"
            ),
            ("Throughput", NumberFormat.text(result.perSecond(measured.requests)), "requests/s"),
            ("Latency of actions", NumberFormat.text(measured.all.milliseconds(99)), "ms, p99"),
            ("Failed requests", NumberFormat.grouped(measured.failedRequests), "requests"),
            ("Durable writes", NumberFormat.text(result.perSecond(counts.acknowledged)), "writes/s"),
            ("Acknowledged", NumberFormat.grouped(counts.acknowledged), "writes"),
            ("Refused", NumberFormat.grouped(counts.refused), "writes"),
            ("Outcome unknown", NumberFormat.grouped(counts.unknown), "answers"),
            ("Sent again", NumberFormat.grouped(counts.retried), "requests"),
            ("Never resolved", NumberFormat.grouped(counts.unresolved), "writes"),
        ]
        if counts.conflicts > 0 { figures.append(("Conflicts shown", NumberFormat.grouped(counts.conflicts), "times")) }
        if !result.kills.isEmpty { figures.append(("Kills", NumberFormat.grouped(result.kills.count), "processes")) }
        if result.plan.rate != nil {
            figures.append(("Due and not begun", NumberFormat.grouped(result.unsent), "actions"))
        }
        let items = figures.map { name, value, unit in
            "<div><dt>\(Markup.escape(name))</dt><dd>\(Markup.escape(value)) <small>\(Markup.escape(unit))</small></dd></div>"
        }
        return "<section><dl class=\"figures\">\(items.joined())</dl></section>"
    }

    var rows: [(name: String, summary: LatencySummary)] {
        result.operations.filter { $0.figures.latencies.totalCount > 0 }.map {
            ($0.name, LatencySummary($0.figures.latencies))
        }
    }

    var table: String {
        let heads = [
            "count", "a second", "p50, ms", "p90, ms", "p99, ms", "p99.9, ms", "max, ms", "errors", "received",
        ]
        let all = row(
            "all", "total", result.measurements.all, result.measurements.failedRequests, result.measurements.bytes)
        let rows = result.operations.map { name, figures in
            row(name, name.contains(".") ? "request" : "action", figures.latencies, figures.errorCount, figures.bytes)
        }
        return """
            <section><h2 id="latency">Latency</h2><p class="soft">An action runs from the moment at which it was due to its end, \
            retries included, so the time that it had to wait for a connection is in it. Its requests have a dot in their names; \
            the first of them runs from that moment, too. “all” is every action, with those that could not be begun.</p>
            \(scrolling(heads: ["operation"] + heads, rows: [all] + rows, label: "latency"))</section>
            """
    }

    var errors: String {
        let rows = result.operations.flatMap { name, figures in
            figures.errors.sorted { $0.key < $1.key }.map { kind, count in
                "<tr><th scope=\"row\">\(Markup.escape(name))</th><td class=\"text\">\(Markup.escape(kind))</td><td>\(NumberFormat.grouped(count))</td></tr>"
            }
        }
        guard !rows.isEmpty else { return "" }
        return
            "<section><h2 id=\"errors\">Errors by kind</h2>\(scrolling(heads: ["operation", "kind", "count"], rows: rows, label: "errors"))</section>"
    }

    var server: String {
        guard let server = result.server else { return "" }
        let rows = server.members.map {
            "<tr><th scope=\"row\">\(Markup.escape($0.process))</th><td>\(Markup.escape(NumberFormat.text($0.processorSeconds)))</td><td>\(Markup.escape(NumberFormat.bytes($0.mostMemory)))</td></tr>"
        }
        var store: [(String, String)] = [
            ("Durability", server.durability), ("Flushes", NumberFormat.grouped(Int(server.flushes))),
            ("Change sets", NumberFormat.grouped(Int(server.changeSets))),
        ]
        if let batch = server.meanBatch { store.append(("Change sets a flush", NumberFormat.text(batch))) }
        if let mean = server.meanFlush { store.append(("A flush", "\(NumberFormat.milliseconds(mean)) on average")) }
        if let most = server.mostFlush {
            store.append(("99 of 100 flushes", "within \(NumberFormat.milliseconds(most))"))
        }
        for size in server.batchSizes {
            store.append(
                (
                    size.upTo.map { "Batches of up to \(NumberFormat.tick($0))" } ?? "Larger batches",
                    NumberFormat.grouped(Int(size.count))
                ))
        }
        let items = store.map {
            "<div><dt>\(Markup.escape($0.0))</dt><dd class=\"small\">\(Markup.escape($0.1))</dd></div>"
        }
        return """
            <section><h2 id="server">The server, by itself</h2>\
            \(scrolling(heads: ["process", "processor time, s", "most memory"], rows: rows, label: "server", isNarrow: true))\
            <dl class="figures">\(items.joined())</dl></section>
            """
    }

    private func row(_ name: String, _ style: String, _ latencies: Histogram<UInt64>, _ errors: Int, _ bytes: Int)
        -> String
    {
        let count = Int(latencies.totalCount)
        let values =
            [NumberFormat.grouped(count), NumberFormat.text(result.perSecond(count))]
            + [50, 90, 99, 99.9, 100].map { NumberFormat.text(latencies.milliseconds($0)) } + [
                NumberFormat.grouped(errors), NumberFormat.bytes(Double(bytes)),
            ]
        return
            "<tr class=\"\(style)\"><th scope=\"row\">\(Markup.escape(name))</th>\(values.map { "<td>\(Markup.escape($0))</td>" }.joined())</tr>"
    }

    /// Returns a table in a scroll container, for a table that is wider than a phone. The container can be focused,
    /// so that the keyboard scrolls it too.
    func scrolling(heads: [String], rows: [String], label: String, isNarrow: Bool = false) -> String {
        let heads = heads.map { "<th scope=\"col\">\(Markup.escape($0))</th>" }
        return
            "<div class=\"wide\" role=\"group\" aria-labelledby=\"\(label)\" tabindex=\"0\"><table\(isNarrow ? " class=\"narrow\"" : "")><thead><tr>\(heads.joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>"
    }
}

extension ReportPage {
    var plots: String {
        throughput + percentiles + latency
    }

    /// The measured time in seconds. The plots omit what came in after it.
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

    /// The section about the search for the limit: the actions done of those due, and their latency.
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
            "<tr><th scope=\"row\">\(Markup.escape(NumberFormat.text(step.rate)))</th>"
                + [step.done, step.p50, step.p99].map { "<td>\(Markup.escape(NumberFormat.text($0)))</td>" }.joined()
                + "<td>\(Markup.escape(NumberFormat.percent(step.errorShare)))</td><td class=\"text\">\(Markup.escape(step.reason ?? "holds"))</td></tr>"
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

    /// Returns a plot in a scroll container. On a phone the plot keeps a legible size and scrolls.
    private func picture(_ svg: String, label: String) -> String {
        "<div class=\"wide\" role=\"group\" aria-labelledby=\"\(Markup.escape(label))\" tabindex=\"0\">\(svg)</div>"
    }

    private func key(_ entries: [(String, String)]) -> String {
        "<p class=\"key\">"
            + entries.map { "<span style=\"--key:var(\($0.1))\">\(Markup.escape($0.0))</span>" }.joined() + "</p>"
    }
}

/// The style sheet of the report, embedded in the page so that the report is one file.
enum ReportStyle {
    static let css = """
        :root{color-scheme:light dark;--bg:#fbfbfa;--card:#fff;--text:#1c1d1f;--soft:#62666d;--rule:#e4e5e7;--good:#1a7f4b;--bad:#c02b2b;\
        --c0:#2f6fde;--c1:#0f8f83;--c2:#b8720a;--c3:#b3366b}
        @media (prefers-color-scheme:dark){:root{--bg:#131416;--card:#1b1d20;--text:#eceded;--soft:#9da2aa;--rule:#303338;--good:#4cc38a;--bad:#ff7a70;\
        --c0:#7aa7ff;--c1:#3fcfc0;--c2:#f0b050;--c3:#f583b5}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
        main{max-width:960px;margin:0 auto;padding:40px 20px 64px}
        h1{font-size:26px;line-height:1.2;margin:0 0 4px;letter-spacing:-.01em}
        h2{font-size:17px;margin:0 0 4px}
        p{margin:0 0 12px}.soft{color:var(--soft)}
        section{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:18px 20px;margin:16px 0}
        .wide{overflow-x:auto;margin:0 -4px;padding:4px;border-radius:6px}.wide:focus-visible{outline:2px solid var(--c0)}
        .wide+.key,.wide+.wide,.wide+dl.figures{margin-top:18px}
        .verdict{border-left:4px solid var(--good)}.verdict.bad{border-left-color:var(--bad)}.verdict.note{border-left-color:var(--c2)}
        .verdict p{margin:0}.verdict strong{color:var(--good)}.verdict.bad strong{color:var(--bad)}
        ul{margin:10px 0 0;padding-left:20px}li{margin:2px 0;overflow-wrap:anywhere}
        dl.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:14px 20px;margin:0}
        dl.figures div{min-width:0}dt{color:var(--soft);font-size:13px}dd{margin:0;font-size:20px;font-weight:600}
        dd.small{font-size:15px}
        dd small{font-size:13px;font-weight:400;color:var(--soft)}
        svg{display:block;width:100%;min-width:560px;height:auto}
        svg text{fill:var(--soft);font:12px system-ui,sans-serif}svg text.halo{paint-order:stroke;stroke:var(--card);stroke-width:4px;stroke-linejoin:round}svg text.action{fill:var(--text);font-weight:600}
        .grid{stroke:var(--rule);fill:none}.base{stroke:var(--soft);fill:none}
        .kill{stroke:var(--bad);stroke-width:1.5;stroke-dasharray:3 3;fill:none}
        .range{stroke:var(--rule);stroke-width:4;stroke-linecap:round;fill:none}
        .line{fill:none;stroke-width:2;stroke-linejoin:round}
        .line-0{stroke:var(--c0)}.line-1{stroke:var(--c1)}.line-2{stroke:var(--c2)}.line-3{stroke:var(--c3)}.line-4{stroke:var(--soft);stroke-dasharray:4 4;stroke-width:1.5}
        .dot-0{fill:var(--c0)}.dot-1{fill:var(--c1)}.dot-2{fill:var(--c2)}.dot-3{fill:var(--c3)}
        .key{display:flex;flex-wrap:wrap;gap:4px 18px;margin:0 0 8px;font-size:13px;color:var(--soft)}
        .key span::before{content:"";display:inline-block;width:14px;height:3px;border-radius:2px;margin-right:6px;vertical-align:middle;background:var(--key)}
        table{border-collapse:collapse;width:100%;min-width:560px}table.narrow{min-width:0}
        th,td{text-align:right;padding:5px 0 5px 16px;border-top:1px solid var(--rule);white-space:nowrap}
        thead th{border-top:0;color:var(--soft);font-weight:400;font-size:13px}
        th:first-child{text-align:left;padding-left:0}tbody th{font-weight:600}tbody tr.request th{font-weight:400;padding-left:14px}
        td.text{text-align:left;white-space:normal;min-width:180px}tbody tr.total th{font-weight:700}
        code{font:13px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
        @media (max-width:600px){main{padding:24px 12px 40px}section{padding:14px}}
        """
}
