extension LoadResult {
    /// For people at a terminal.
    package var text: String {
        var lines = [
            "\(plan.scenario.rawValue): \(Figure.grouped(measurements.requests)) requests in \(Figure.seconds(duration.seconds)), "
                + "\(Figure.text(perSecond(measurements.requests))) a second; \(Figure.grouped(measurements.failedRequests)) failed",
            "writes: \(Figure.grouped(counts.acknowledged)) acknowledged (\(Figure.text(perSecond(counts.acknowledged))) a second), "
                + "\(Figure.grouped(counts.refused)) refused, \(Figure.grouped(counts.unknown)) answers unknown, "
                + "\(Figure.grouped(counts.retried)) sent again, \(Figure.grouped(counts.unresolved)) never resolved",
        ]
        if unsent > 0 { lines.append("\(Figure.grouped(unsent)) actions were due and could not be begun: the rate is more than these connections carry") }
        if !kills.isEmpty {
            lines.append(
                "\(kills.count) kills" + (restarts.map { ", \($0) restarts" } ?? "")
                    + "; at most \(Figure.seconds(measurements.longestReadPause.seconds)) without a page of records"
            )
        }
        lines.append(contentsOf: latencyLines)
        lines.append(contentsOf: verdictLines)
        return lines.joined(separator: "\n")
    }

    private var latencyLines: [String] {
        let rows = latencies.sorted { $0.key < $1.key }
        let width = rows.map(\.key.count).max() ?? 0
        return rows.map { name, summary in
            "  " + name.padded(to: width) + "  p50 \(Figure.milliseconds(summary.p50))  p99 \(Figure.milliseconds(summary.p99))  "
                + "max \(Figure.milliseconds(summary.max))  (\(Figure.grouped(summary.count)))"
        }
    }

    private var verdictLines: [String] {
        if isGood { return ["Every acknowledged write is there, and nothing else."] }
        let counts = Violation.Kind.allCases.compactMap { kind in violations.counts[kind].map { "\(Figure.grouped($0)) \(kind.rawValue)" } }
        return ["FAILED: " + counts.joined(separator: ", ")] + violations.first.map { violation in
            "  \(violation.kind.rawValue)\(violation.record.map { " \($0)" } ?? ""): \(violation.text)"
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
