extension ReportPage {
    var figures: String {
        let (measured, counts) = (result.measurements, result.counts)
        var figures: [(String, String, String)] = [
            ("Requests", Figure.grouped(measured.requests), "in \(Figure.seconds(result.duration.seconds))"),
            ("Throughput", Figure.text(result.perSecond(measured.requests)), "requests/s"),
            ("Durable writes", Figure.text(result.perSecond(counts.acknowledged)), "writes/s"),
            ("Failed requests", Figure.grouped(measured.failedRequests), "requests"),
            ("Acknowledged", Figure.grouped(counts.acknowledged), "writes"),
            ("Refused", Figure.grouped(counts.refused), "writes"),
            ("Outcome unknown", Figure.grouped(counts.unknown), "answers"),
            ("Sent again", Figure.grouped(counts.retried), "requests"),
            ("Never resolved", Figure.grouped(counts.unresolved), "writes"),
            ("Kills", Figure.grouped(result.kills.count), "processes"),
        ]
        if result.plan.rate != nil {
            figures.append(("Due and not begun", Figure.grouped(result.unsent), "actions"))
        }
        let items = figures.map { name, value, unit in
            "<div><dt>\(Markup.escape(name))</dt><dd>\(Markup.escape(value)) <small>\(Markup.escape(unit))</small></dd></div>"
        }
        return "<section><dl class=\"figures\">\(items.joined())</dl></section>"
    }

    var rows: [(name: String, summary: LatencySummary)] {
        result.latencies.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var table: String {
        let heads = ["mean", "p50", "p90", "p99", "p99.9", "max"].map { "<th scope=\"col\">\($0), ms</th>" }
        let rows = rows.map { name, summary in
            let values = [summary.mean, summary.p50, summary.p90, summary.p99, summary.p999, summary.max]
            return "<tr class=\"\(name.contains(".") ? "request" : "action")\"><th scope=\"row\">\(Markup.escape(name))</th><td>\(Figure.grouped(summary.count))</td>"
                + values.map { "<td>\(Markup.escape(Figure.text($0)))</td>" }.joined() + "</tr>"
        }
        return """
            <section><h2>Latency</h2><p class="soft">An action runs from the moment at which it was meant to begin to its end, retries \
            included. A request (its name has a dot) runs from when it is sent to its answer.</p>
            <table><thead><tr><th scope="col">operation</th><th scope="col">count</th>\(heads.joined())</tr></thead>
            <tbody>\(rows.joined())</tbody></table></section>
            """
    }
}
