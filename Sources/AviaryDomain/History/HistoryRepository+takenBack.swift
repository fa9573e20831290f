extension HistoryRepository {
    /// Returns those of the commits that are undone and were not redone.
    ///
    /// Commits without known outcome count as not undone: the method searches only the newest commits, as many as the
    /// time for one page permits.
    package func takenBack(of commits: [Int64]) async throws -> Set<Int64> {
        guard let oldest = commits.min() else { return [] }
        let pageSize = 1000, mostPages = 10
        var takenBack: Set<Int64> = []
        var before: Int64?
        for _ in 0..<mostPages {
            let page = try await self.commits(HistoryQuery(before: before, limit: pageSize))
            // From the newest on: an undo that was itself taken back takes nothing back.
            for commit in page where !takenBack.contains(commit.number) {
                if let undone = commit.undoes { takenBack.insert(undone) }
            }
            guard page.count == pageSize, let last = page.last?.number, last > oldest else { break }
            before = last
        }
        return takenBack.intersection(commits)
    }
}
