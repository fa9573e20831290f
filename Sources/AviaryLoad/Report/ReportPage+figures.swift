import Histogram

extension ReportPage {
    var figures: String {
        let (measured, counts) = (result.measurements, result.counts)
        var figures: [(String, String, String)] = [
            ("Requests", Figure.grouped(measured.requests), "in \(Figure.seconds(result.duration.seconds))"),
            ("Throughput", Figure.text(result.perSecond(measured.requests)), "requests/s"),
            ("Latency of actions", Figure.text(measured.all.milliseconds(99)), "ms, p99"),
            ("Failed requests", Figure.grouped(measured.failedRequests), "requests"),
            ("Durable writes", Figure.text(result.perSecond(counts.acknowledged)), "writes/s"),
            ("Acknowledged", Figure.grouped(counts.acknowledged), "writes"),
            ("Refused", Figure.grouped(counts.refused), "writes"),
            ("Outcome unknown", Figure.grouped(counts.unknown), "answers"),
            ("Sent again", Figure.grouped(counts.retried), "requests"),
            ("Never resolved", Figure.grouped(counts.unresolved), "writes"),
        ]
        if counts.conflicts > 0 { figures.append(("Conflicts shown", Figure.grouped(counts.conflicts), "times")) }
        if !result.kills.isEmpty { figures.append(("Kills", Figure.grouped(result.kills.count), "processes")) }
        if result.plan.rate != nil { figures.append(("Due and not begun", Figure.grouped(result.unsent), "actions")) }
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
                "<tr><th scope=\"row\">\(Markup.escape(name))</th><td class=\"text\">\(Markup.escape(kind))</td><td>\(Figure.grouped(count))</td></tr>"
            }
        }
        guard !rows.isEmpty else { return "" }
        return
            "<section><h2 id=\"errors\">Errors by kind</h2>\(scrolling(heads: ["operation", "kind", "count"], rows: rows, label: "errors"))</section>"
    }

    var server: String {
        guard let server = result.server else { return "" }
        let rows = server.members.map {
            "<tr><th scope=\"row\">\(Markup.escape($0.process))</th><td>\(Markup.escape(Figure.text($0.processorSeconds)))</td><td>\(Markup.escape(Figure.bytes($0.mostMemory)))</td></tr>"
        }
        var store: [(String, String)] = [
            ("Durability", server.durability), ("Flushes", Figure.grouped(Int(server.flushes))),
            ("Change sets", Figure.grouped(Int(server.changeSets))),
        ]
        if let batch = server.meanBatch { store.append(("Change sets a flush", Figure.text(batch))) }
        if let mean = server.meanFlush { store.append(("A flush", "\(Figure.milliseconds(mean)) on average")) }
        if let most = server.mostFlush { store.append(("99 of 100 flushes", "within \(Figure.milliseconds(most))")) }
        for size in server.batchSizes {
            store.append(
                (
                    size.upTo.map { "Batches of up to \(Figure.tick($0))" } ?? "Larger batches",
                    Figure.grouped(Int(size.count))
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
            [Figure.grouped(count), Figure.text(result.perSecond(count))]
            + [50, 90, 99, 99.9, 100].map { Figure.text(latencies.milliseconds($0)) } + [
                Figure.grouped(errors), Figure.bytes(Double(bytes)),
            ]
        return
            "<tr class=\"\(style)\"><th scope=\"row\">\(Markup.escape(name))</th>\(values.map { "<td>\(Markup.escape($0))</td>" }.joined())</tr>"
    }

    /// A table that is wider than a phone is scrolled in a place of its own, also with the keyboard.
    func scrolling(heads: [String], rows: [String], label: String, isNarrow: Bool = false) -> String {
        let heads = heads.map { "<th scope=\"col\">\(Markup.escape($0))</th>" }
        return
            "<div class=\"wide\" role=\"group\" aria-labelledby=\"\(label)\" tabindex=\"0\"><table\(isNarrow ? " class=\"narrow\"" : "")><thead><tr>\(heads.joined())</tr></thead><tbody>\(rows.joined())</tbody></table></div>"
    }
}
