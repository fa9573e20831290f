import AviaryDomain
import Foundation

/// A repair of a history that has lost rows, which makes its commits and entries consistent.
///
/// A commit whose row is lost is rebuilt from its entries. A commit that has lost entries keeps its last contiguous
/// run of them. Neither this commit nor an earlier one can be undone any more.
struct HistoryRepair {
    /// The author of a rebuilt commit. No account name contains a space.
    static let author = "rebuilt by repair"

    /// A contiguous run of entries of one commit.
    private struct Run {
        let first: Int64
        var count: Int64
        var hasBuiltIn: Bool

        var end: Int64 { first + count }
    }

    let connection: any Connection
    let tables: ModelTables
    /// The clock that knows the times of commits. A commit without a known time gets the clock's own.
    let clock: StoreClock

    /// Repairs the history.
    ///
    /// - Returns: The last commit that has lost entries; nil if there is none.
    func complete(_ report: inout RepairReport) throws -> Int64? {
        let start = try ChangeTable.firstNumber(in: connection) ?? .max
        var runs = try runs()
        var torn: [Int64] = []
        let commits = try connection.rows("SELECT number, first_change, changes FROM aviary_commit") { row in
            (number: row.integer(0), first: row.integer(1), count: row.integer(2))
        }
        for commit in commits {
            let found = runs.removeValue(forKey: commit.number) ?? []
            // The oldest entries are removed one by one, so that the oldest commit may lack some.
            let (first, end) = (max(commit.first, start), commit.first &+ commit.count)
            let isWhole =
                first >= end ? found.isEmpty : found.count == 1 && found[0].first == first && found[0].end == end
            guard !isWhole else { continue }
            torn.append(commit.number)
            try remove(found.dropLast())
            let kept = found.last?.count ?? 0
            try connection.run(
                "UPDATE aviary_commit SET first_change = ?, changes = ?, unrecorded = unrecorded + ? WHERE number = ?",
                .integer(found.last?.first ?? commit.first), .integer(kept), .integer(max(1, commit.count &- kept)),
                .integer(commit.number))
        }
        let lastGap = try lastGap()
        for (commit, found) in runs.sorted(by: { $0.key < $1.key }) {
            guard let run = found.last else { continue }
            if found.count > 1 { torn.append(commit) }
            try remove(found.dropLast())
            // The commit may have made changes without entries.
            let isPartial =
                found.count > 1 || run.hasBuiltIn || commit <= lastGap || run.first == start && start > 1
            try CommitTable.add(
                commit, changeSet: UUID.version7().canonicalText, fingerprint: [], by: Self.author, undoes: nil,
                at: time(of: commit), changes: run.first..<run.end, unrecorded: isPartial ? 1 : 0, in: connection)
        }
        if !runs.isEmpty {
            report.note(
                "\(runs.count) commits were rebuilt from their entries of the history, without who saved them: "
                    + "\"\(Self.author)\" stands there.")
        }
        guard let last = torn.max() else { return nil }
        report.note(
            "\(torn.count) commits have lost entries of the history. Commits up to number \(last) cannot be taken back."
        )
        return last
    }

    private func runs() throws -> [Int64: [Run]] {
        var runs: [Int64: [Run]] = [:]
        let row = try connection.statement(#"SELECT number, "commit", model FROM aviary_change ORDER BY number"#)
        defer { row.reset() }
        try row.bind([])
        while try row.step() {
            let (number, commit) = (row.integer(0), row.integer(1))
            let isBuiltIn = row.text(2)?.hasPrefix("aviary_") ?? true
            if let last = runs[commit]?.indices.last, runs[commit]?[last].end == number {
                runs[commit]?[last].count += 1
                if isBuiltIn { runs[commit]?[last].hasBuiltIn = true }
            } else {
                runs[commit, default: []].append(Run(first: number, count: 1, hasBuiltIn: isBuiltIn))
            }
        }
        return runs
    }

    private func remove(_ runs: some Sequence<Run>) throws {
        for run in runs {
            try connection.run(
                "DELETE FROM aviary_change WHERE number >= ? AND number < ?", .integer(run.first), .integer(run.end))
        }
    }

    /// Returns the last commit that may have changed records of the application without a history entry.
    ///
    /// ``Run/hasBuiltIn`` covers the built-in models.
    private func lastGap() throws -> Int64 {
        let gaps = try HistoryGaps.read(from: connection)
        return tables.all.map(\.model.name).filter { !$0.hasPrefix("aviary_") }.map {
            gaps.lastGap(of: $0) ?? Int64.max
        }
        .max() ?? 0
    }

    private func time(of commit: Int64) -> Date {
        guard let mark = clock.marks.first(where: { $0.commit >= commit }) ?? clock.marks.last else {
            return clock.date
        }
        return Date(milliseconds: mark.time)
    }
}
