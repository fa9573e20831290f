import Foundation
import Histogram

/// The result of a run.
package struct LoadResult: Sendable {
    let plan: LoadPlan
    let origin: String
    let launch: String
    let date: Date
    /// The number of records that existed before the run.
    let existing: Int
    var duration = Duration.zero
    var measurements: Measurements
    /// The writes of the measured time. The check of the store covers all writes of the run.
    var counts: WriteCounts { measurements.writes }
    var unsent = 0
    package var kills: [Kill] = []
    /// The number of restarts of its processes that the server reports; nil for a server with a single process.
    var restarts: Int?
    var client: ClientUtilization?
    /// The figures of the server; nil for a server that was already running.
    var server: ServerStatistics?
    /// The search for the highest rate; nil for a run at one rate.
    var ramp: Ramp?
    var backup: LoadPart.Backup?
    package var violations = ViolationList()

    init(plan: LoadPlan, origin: String, launch: String, date: Date, existing: Int) {
        self.plan = plan
        self.origin = origin
        self.launch = launch
        self.date = date
        self.existing = existing
        measurements = Measurements(duration: plan.duration)
    }

    mutating func take(_ outcome: LoadPart.Outcome) {
        duration = outcome.duration
        measurements = outcome.measurements
        unsent = outcome.unsent
        kills = outcome.kills
        client = outcome.client
        backup = outcome.backup
        server = outcome.server
    }

    mutating func take(_ ramp: Ramp) {
        if let best = ramp.best { take(best) }
        self.ramp = ramp
    }

    /// Indicates whether the run found no violation.
    package var isGood: Bool { violations.isEmpty }

    /// Returns a count per second of the measured time.
    func perSecond(_ count: Int) -> Double {
        duration > .zero ? (Double(count) / duration.seconds * 10).rounded() / 10 : 0
    }

    var latencies: [String: LatencySummary] { measurements.latencies }

    /// The operations in display order: each action, then its steps.
    var operations: [(name: String, figures: OperationStatistics)] {
        measurements.operations.sorted { $0.key < $1.key }.map { ($0.key.name, $0.value) }
    }
}

extension LoadResult {
    /// The result as text for a terminal.
    package var text: String {
        (summaryLines + serverLines + rampLines + operationLines + verdictLines).joined(separator: "\n")
    }

    private var summaryLines: [String] {
        let requests =
            "\(plan.scenario.name): \(NumberFormat.grouped(measurements.requests)) requests in \(NumberFormat.seconds(duration.seconds)), "
            + "\(NumberFormat.text(perSecond(measurements.requests))) a second; \(NumberFormat.grouped(measurements.failedRequests)) failed"
        let writes =
            "writes: \(NumberFormat.grouped(counts.acknowledged)) acknowledged (\(NumberFormat.text(perSecond(counts.acknowledged))) a second), "
            + "\(NumberFormat.grouped(counts.refused)) refused, \(NumberFormat.grouped(counts.unknown)) answers unknown, "
            + "\(NumberFormat.grouped(counts.retried)) sent again, \(NumberFormat.grouped(counts.unresolved)) never resolved"
        var lines = [requests, writes]
        if counts.conflicts > 0 {
            lines.append("\(NumberFormat.grouped(counts.conflicts)) conflicts were shown and settled")
        }
        if unsent > 0 {
            lines.append(
                "\(NumberFormat.grouped(unsent)) actions were due and could not be begun; \"all\" has them with the time that they had waited. "
                    + "The rate is more than the server, or these connections, carry.")
        }
        if !measurements.errors.isEmpty {
            let kinds = measurements.errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            lines.append(
                "errors: " + kinds.map { "\(NumberFormat.grouped($0.value)) \($0.key)" }.joined(separator: ", "))
        }
        if !kills.isEmpty {
            lines.append(
                "\(kills.count) kills" + (restarts.map { ", \($0) restarts" } ?? "")
                    + "; at most \(NumberFormat.seconds(measurements.longestReadPause.seconds)) without a page of records"
            )
        }
        if let backup {
            lines.append(
                "a backup was taken \(NumberFormat.seconds(backup.seconds)) after the start, restored at the end, and compared"
            )
        }
        if let advice = client?.advice { lines.append(advice) }
        return lines
    }

    private var serverLines: [String] {
        guard let server else { return [] }
        let members = server.members.map {
            "\($0.process) \(NumberFormat.text($0.processorSeconds)) s, \(NumberFormat.bytes($0.mostMemory))"
        }
        var lines = ["server (processor time, most memory): " + members.joined(separator: "; ")]
        var store =
            "store: \(server.durability); \(NumberFormat.grouped(Int(server.flushes))) flushes for \(NumberFormat.grouped(Int(server.changeSets))) change sets"
        if let batch = server.meanBatch { store += ", \(NumberFormat.text(batch)) a flush" }
        if let mean = server.meanFlush { store += ", \(NumberFormat.milliseconds(mean)) each" }
        lines.append(store)
        return lines
    }

    private var rampLines: [String] {
        guard let ramp else { return [] }
        let limit =
            "p99 up to \(NumberFormat.milliseconds(ramp.limit.p99.milliseconds)), up to \(NumberFormat.percent(ramp.limit.errorShare)) errors"
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
        return [name, NumberFormat.text(perSecond(count))]
            + [50, 90, 99, 99.9, 100].map { NumberFormat.text(latencies.milliseconds($0)) }
            + [NumberFormat.grouped(count), NumberFormat.grouped(errors), NumberFormat.bytes(Double(bytes))]
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

extension LoadResult {
    /// Checks that a report can be written to a path.
    ///
    /// The check runs before the load, because a report that cannot be written would lose its results.
    ///
    /// - Throws: ``LoadPlanError`` when the path cannot be written.
    package static func checkReport(at path: String) throws(LoadPlanError) {
        let (files, file) = (FileManager.default, URL(fileURLWithPath: path))
        var isDirectory = ObjCBool(false)
        let canBeWritten =
            if files.fileExists(atPath: file.path, isDirectory: &isDirectory) {
                !isDirectory.boolValue && files.isWritableFile(atPath: file.path)
            } else {
                files.isWritableFile(atPath: file.deletingLastPathComponent().path)
            }
        guard canBeWritten, !path.hasSuffix("/") else {
            throw LoadPlanError(
                "--report: \(path) cannot be written. Name a file in a directory that is there and may be written to.")
        }
    }

    /// Writes the report.
    ///
    /// - Throws: ``LoadTestError`` when the file cannot be written.
    package func writeReport(to path: String, commandLine: [String]) throws(LoadTestError) {
        let page = ReportPage(result: self, commandLine: commandLine, machine: .current)
        do {
            try Data(page.html.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
            throw LoadTestError(
                "The report could not be written to \(path): \(error). Check the directory; the results stand above.")
        }
    }
}
