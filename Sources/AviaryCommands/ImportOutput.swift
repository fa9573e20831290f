import AviaryAdmin
import AviaryDomain
import Foundation

/// The error of a file that is not imported, with what the command line offers against it.
struct ImportRefusal: Error, CustomStringConvertible {
    let error: ImportError

    init(_ error: ImportError) {
        self.error = error
    }

    var description: String {
        let groups = error.groups
        return switch error {
        case .lines:
            (ProblemText.lines(groups) + (isOtherEncoding(groups) ? ["Or name the encoding with --encoding."] : []))
                .joined(separator: "\n")
        default: "\(error)"
        }
    }

    private func isOtherEncoding(_ groups: ProblemGroups) -> Bool {
        groups.all.contains { $0.message == CSVError.invalidUTF8(line: 0).message }
    }
}

/// The problems of a file's lines as text: equal ones together, with their values.
enum ProblemText {
    static func lines(_ groups: ProblemGroups) -> [String] {
        ProblemSummary(groups).lines().map { $0.prefix(1).lowercased() + $0.dropFirst() }
    }
}

/// The progress line of a running import, which also stops the import after a signal.
final class ImportMonitor {
    let line: ProgressLine
    let checkSignals = DependencyContainer.signalCheck()
    private var meter: ImportMeter

    init(_ line: ProgressLine) {
        self.line = line
        let clock = ContinuousClock(), start = clock.now
        meter = ImportMeter { clock.now - start }
    }

    /// Shows the progress.
    ///
    /// - Throws: `CommandInterrupted` after a signal.
    func report(_ progress: ImportProgress) throws {
        try checkSignals()
        if let text = meter.text(progress) { line.show(text) }
    }
}

/// The progress of an import as text, with its rate and the time that is left.
struct ImportMeter {
    /// The shortest time between two texts.
    private static let pause = Duration.milliseconds(200)
    /// The time after which a rate is meaningful.
    private static let settled = Duration.seconds(1)

    private let now: () -> Duration
    private var shownAt: Duration?
    private var step: ImportProgress.Step?
    private var stepBegan = Duration.zero

    /// Creates a meter.
    ///
    /// - Parameter now: A closure that returns the time since any fixed point.
    init(now: @escaping () -> Duration) {
        self.now = now
    }

    /// Returns the text of the progress; nil when the last one is still new.
    mutating func text(_ progress: ImportProgress) -> String? {
        let time = now()
        if step != progress.step {
            (step, stepBegan) = (progress.step, time)
        } else if let shownAt, time - shownAt < Self.pause {
            return nil
        }
        shownAt = time
        var parts: [String] = []
        let done = TextFormatter.grouped(progress.done)
        switch (progress.step, progress.total) {
        case (.storing, let total?) where total > 0:
            parts = [
                "Storing \(min(100, progress.done * 100 / total))%", "\(done) of \(TextFormatter.grouped(total)) lines",
            ]
        case (.storing, _): parts = ["Storing", "\(done) lines"]
        case (.checking, _): parts = ["Checking", "\(done) lines"]
        }
        let elapsed = time - stepBegan
        guard elapsed >= Self.settled else { return parts.joined(separator: ", ") }
        let rate = Double(progress.done) / (elapsed / .seconds(1))
        parts.append("\(TextFormatter.grouped(Int(rate))) lines/s")
        if let total = progress.total, rate > 0 {
            parts.append(Self.left(Double(max(0, total - progress.done)) / rate))
        }
        return parts.joined(separator: ", ")
    }

    private static func left(_ seconds: Double) -> String {
        seconds < 90 ? "\(Int(seconds.rounded(.up))) s left" : "\(Int((seconds / 60).rounded(.up))) min left"
    }
}

/// The result of an import as JSON.
struct ImportOutput: Encodable {
    let dryRun: Bool
    let inserted: [String: Int]
    let updated: Int
    let unchanged: Int
    /// The number of lines that were left out because their record exists.
    let skipped: Int
    /// The number of lines that were left out because they have problems.
    let rejected: Int
    /// The number of lines in which a property got its default, by the name of the property.
    let defaulted: [String: Int]
    /// The commits that stored the records, in their order.
    let commits: [Int64]
    /// The id by which `undo` undoes the whole import; nil when nothing was stored.
    let series: String?
    /// The columns of the file that fill no property.
    let unusedColumns: [String]
    /// The first hundred problems, by line. `moreProblems` is the number of further ones.
    let problems: [Problem]
    let moreProblems: Int
    /// The problems by their message, with the most frequent values.
    let problemGroups: [ProblemGroup]
    /// All wrong lines, or nil if the problem concerns the file as a whole.
    let wrongLines: Lines?

    struct Lines: Encodable {
        let count: Int
        /// The first ten ranges of wrong lines, each with its first and last line.
        let ranges: [[Int]]
        let last: Int

        init(_ lines: RejectedLines) {
            count = lines.count
            ranges = lines.ranges.map { [$0.lowerBound, $0.upperBound] }
            last = lines.last
        }
    }

    struct Problem: Encodable {
        /// The number of the line, or nil if the problem concerns the file as a whole.
        let line: Int?
        let message: String
    }

    init(dryRun: Bool, report: ImportReport, series: UUID?, unusedColumns: [String]) {
        self.init(dryRun: dryRun, report: report, series: series, unusedColumns: unusedColumns, problems: [], more: 0)
    }

    /// Creates the result of an import that ended with an error.
    ///
    /// - Parameter stored: The report of what is stored.
    init(dryRun: Bool, error reason: any Error, stored: ImportReport, series: UUID?, unusedColumns: [String]) {
        if let error = reason as? ImportError, case .lines(let problems, let more, _) = error {
            self.init(
                dryRun: dryRun, report: stored, series: series, unusedColumns: unusedColumns,
                problems: problems.map { Problem(line: $0.line, message: $0.message) }, more: more,
                wrongLines: error.wrongLines, groups: error.groups.all
            )
        } else {
            self.init(
                dryRun: dryRun, report: stored, series: series, unusedColumns: unusedColumns,
                problems: [Problem(line: nil, message: reason.redactedText)], more: 0
            )
        }
    }

    private init(
        dryRun: Bool, report: ImportReport, series: UUID?, unusedColumns: [String], problems: [Problem], more: Int,
        wrongLines: RejectedLines? = nil, groups: [ProblemGroup] = []
    ) {
        problemGroups = groups
        skipped = report.skipped
        rejected = report.rejected
        defaulted = report.defaulted
        self.wrongLines = wrongLines.map(Lines.init)
        self.dryRun = dryRun
        self.unusedColumns = unusedColumns
        inserted = report.inserted
        updated = report.updated
        unchanged = report.unchanged
        commits = report.commits
        self.series = series?.canonicalText
        self.problems = problems
        moreProblems = more
    }
}

extension ImportReport {
    /// Returns the counts as text: `3 animals and 1 category; 2 changed, 5 as they were`.
    func words(schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var words = TextFormatter.list(counts)
        let others = [
            updated > 0 ? "\(TextFormatter.grouped(updated)) changed" : nil,
            unchanged > 0 ? "\(TextFormatter.grouped(unchanged)) as they were" : nil,
        ].compactMap(\.self)
        if !others.isEmpty { words += (words.isEmpty ? "" : "; ") + others.joined(separator: ", ") }
        return words
    }
}
