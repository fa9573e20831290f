import AviaryDomain
import Foundation

/// What an import did, for programs.
struct ImportAnswer: Encodable {
    let dryRun: Bool
    let inserted: [String: Int]
    let updated: Int
    let unchanged: Int
    /// The commits that stored it, in their order.
    let commits: [Int64]
    /// Columns of the file that fill nothing.
    let unusedColumns: [String]
    /// What is wrong by line: the first hundred, and how many more there are.
    let problems: [Problem]
    let moreProblems: Int
    /// Which lines are wrong, however many; nil where it is about the file as a whole.
    let wrongLines: Lines?

    struct Lines: Encodable {
        let count: Int
        /// From and to, both of them wrong: the first ten.
        let ranges: [[Int]]
        let last: Int

        init(_ lines: WrongLines) {
            count = lines.count
            ranges = lines.ranges.map { [$0.lowerBound, $0.upperBound] }
            last = lines.last
        }
    }

    struct Problem: Encodable {
        /// Nil where it is about the file as a whole.
        let line: Int?
        let message: String
    }

    init(dryRun: Bool, report: ImportReport, unusedColumns: [String]) {
        self.init(dryRun: dryRun, report: report, unusedColumns: unusedColumns, problems: [], more: 0)
    }

    init(dryRun: Bool, error: any Error, unusedColumns: [String]) {
        let interruption = error as? ImportInterruption
        let stored = interruption?.stored ?? ImportReport(), reason = interruption?.reason ?? error
        if let error = reason as? ImportError, case .lines(let problems, let more, _) = error {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: problems.map { Problem(line: $0.line, message: $0.message) }, more: more,
                wrongLines: error.wrongLines
            )
        } else {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: [Problem(line: nil, message: reason.redactedText)], more: 0
            )
        }
    }

    private init(
        dryRun: Bool, report: ImportReport, unusedColumns: [String], problems: [Problem], more: Int,
        wrongLines: WrongLines? = nil
    ) {
        self.wrongLines = wrongLines.map(Lines.init)
        self.dryRun = dryRun
        self.unusedColumns = unusedColumns
        inserted = report.inserted
        updated = report.updated
        unchanged = report.unchanged
        commits = report.commits
        self.problems = problems
        moreProblems = more
    }
}

extension ImportReport {
    /// `3 animals and 1 category; 2 changed, 5 as they were`.
    func words(schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var words = Words.list(counts)
        let others = [
            updated > 0 ? "\(Words.grouped(updated)) changed" : nil,
            unchanged > 0 ? "\(Words.grouped(unchanged)) as they were" : nil,
        ].compactMap(\.self)
        if !others.isEmpty { words += (words.isEmpty ? "" : "; ") + others.joined(separator: ", ") }
        return words
    }
}
