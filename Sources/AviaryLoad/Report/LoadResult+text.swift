import Histogram

extension LoadResult {
    /// For people at a terminal.
    package var text: String {
        (summaryLines + serverLines + rampLines + operationLines + verdictLines).joined(separator: "\n")
    }

    private var summaryLines: [String] {
        let requests =
            "\(plan.scenario.name): \(Figure.grouped(measurements.requests)) requests in \(Figure.seconds(duration.seconds)), "
            + "\(Figure.text(perSecond(measurements.requests))) a second; \(Figure.grouped(measurements.failedRequests)) failed"
        let writes =
            "writes: \(Figure.grouped(counts.acknowledged)) acknowledged (\(Figure.text(perSecond(counts.acknowledged))) a second), "
            + "\(Figure.grouped(counts.refused)) refused, \(Figure.grouped(counts.unknown)) answers unknown, "
            + "\(Figure.grouped(counts.retried)) sent again, \(Figure.grouped(counts.unresolved)) never resolved"
        var lines = [requests, writes]
        if counts.conflicts > 0 { lines.append("\(Figure.grouped(counts.conflicts)) conflicts were shown and settled") }
        if unsent > 0 {
            lines.append(
                "\(Figure.grouped(unsent)) actions were due and could not be begun; \"all\" has them with the time that they had waited. "
                    + "The rate is more than the server, or these connections, carry.")
        }
        if !measurements.errors.isEmpty {
            let kinds = measurements.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            lines.append("errors: " + kinds.map { "\(Figure.grouped($0.value)) \($0.key)" }.joined(separator: ", "))
        }
        if !kills.isEmpty {
            lines.append(
                "\(kills.count) kills" + (restarts.map { ", \($0) restarts" } ?? "")
                    + "; at most \(Figure.seconds(measurements.longestReadPause.seconds)) without a page of records"
            )
        }
        if let backup {
            lines.append(
                "a backup was taken \(Figure.seconds(backup.seconds)) after the start, restored at the end, and compared"
            )
        }
        if let advice = client?.advice { lines.append(advice) }
        return lines
    }

    private var serverLines: [String] {
        guard let server else { return [] }
        let members = server.members.map {
            "\($0.process) \(Figure.text($0.processorSeconds)) s, \(Figure.bytes($0.mostMemory))"
        }
        var lines = ["server (processor time, most memory): " + members.joined(separator: "; ")]
        var store =
            "store: \(server.durability); \(Figure.grouped(Int(server.flushes))) flushes for \(Figure.grouped(Int(server.changeSets))) change sets"
        if let batch = server.meanBatch { store += ", \(Figure.text(batch)) a flush" }
        if let mean = server.meanFlush { store += ", \(Figure.milliseconds(mean)) each" }
        lines.append(store)
        return lines
    }

    private var rampLines: [String] {
        guard let ramp else { return [] }
        let limit =
            "p99 up to \(Figure.milliseconds(ramp.limit.p99.milliseconds)), up to \(Figure.percent(ramp.limit.errorShare)) errors"
        return ["limit: \(ramp.text) (\(limit))"]
    }

    private var operationLines: [String] {
        let heads = ["", "a second", "p50", "p90", "p99", "p99.9", "max ms", "count", "errors", "received"]
        var rows = [row("all", measurements.all, errors: measurements.failedRequests, bytes: measurements.bytes)]
        rows += operations.map {
            row($0.name, $0.figures.latencies, errors: $0.figures.errorCount, bytes: $0.figures.bytes)
        }
        let widths = heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
        return ([heads] + rows).map { row in
            "  "
                + row.indices.map { column in
                    let space = String(repeating: " ", count: widths[column] - row[column].count)
                    return column == 0 ? row[column] + space : space + row[column]
                }.joined(separator: "  ")
        }
    }

    private func row(_ name: String, _ latencies: Histogram<UInt64>, errors: Int, bytes: Int) -> [String] {
        let count = Int(latencies.totalCount)
        return [name, Figure.text(perSecond(count))]
            + [50, 90, 99, 99.9, 100].map { Figure.text(latencies.milliseconds($0)) }
            + [Figure.grouped(count), Figure.grouped(errors), Figure.bytes(Double(bytes))]
    }

    private var verdictLines: [String] {
        if isGood {
            return [
                backup == nil
                    ? "Every acknowledged write is there, and nothing else."
                    : "Every acknowledged write is there, and nothing else; so it was after the restore."
            ]
        }
        return ["FAILED: \(violations.summary)"]
            + violations.first.map { violation in
                "  \(violation.kind.rawValue)\(violation.record.map { " \($0)" } ?? ""): \(violation.text)"
            }
    }
}
