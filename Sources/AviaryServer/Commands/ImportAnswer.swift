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

    struct Problem: Encodable {
        /// Nil where it is about the file as a whole.
        let line: Int?
        let message: String
    }

    init(dryRun: Bool, report: ImportReport, unusedColumns: [String]) {
        self.init(dryRun: dryRun, report: report, unusedColumns: unusedColumns, problems: [], more: 0)
    }

    init(dryRun: Bool, error: any Error, unusedColumns: [String]) {
        let stored = (error as? ImportInterruption)?.stored ?? ImportReport()
        if case .lines(let problems, let more, _)? = error as? ImportError {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: problems.map { Problem(line: $0.line, message: $0.message) }, more: more
            )
        } else {
            self.init(
                dryRun: dryRun, report: stored, unusedColumns: unusedColumns,
                problems: [Problem(line: nil, message: error.redactedText)], more: 0
            )
        }
    }

    private init(dryRun: Bool, report: ImportReport, unusedColumns: [String], problems: [Problem], more: Int) {
        self.dryRun = dryRun
        self.unusedColumns = unusedColumns
        inserted = report.inserted
        updated = report.updated
        unchanged = report.unchanged
        commits = report.commits
        self.problems = problems
        moreProblems = more
    }

    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension ImportReport {
    /// `3 animals and 1 category; 2 changed, 5 as they were`.
    func words(schema: Schema) -> String {
        let counts = schema.models.compactMap { model in inserted[model.name].map(model.counted) }
        var words = Words.list(counts)
        let others = [
            updated > 0 ? "\(Words.grouped(updated)) changed" : nil, unchanged > 0 ? "\(Words.grouped(unchanged)) as they were" : nil,
        ].compactMap(\.self)
        if !others.isEmpty { words += (words.isEmpty ? "" : "; ") + others.joined(separator: ", ") }
        return words
    }
}
