package import AviaryDomain

extension SQLHistoryRepository {
    package func outlines(
        of commits: [Int64], models: Set<String>, changes limit: Int, counting most: Int
    ) async throws -> [Int64: CommitOutline] {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                guard let first = try ChangeTable.firstNumber(in: connection) else { return [:] }
                var outlines: [Int64: CommitOutline] = [:]
                for number in commits {
                    guard let numbers = try CommitTable.changes(of: number, in: connection), !numbers.isEmpty,
                        numbers.lowerBound >= first,
                        let commit = try CommitTable.summary(of: number, in: connection)
                    else { continue }
                    let changes = try ChangeTable.changes(numbers, models: models, limit: limit, in: connection)
                    // What was read anyhow need not be counted.
                    let tally =
                        changes.count == numbers.count
                        ? changes.tally : try ChangeTable.tally(numbers, limit: most, in: connection)
                    let told = max(
                        numbers.lowerBound + Int64(min(most, numbers.count)), (changes.last?.number ?? 0) + 1)
                    let hasMore =
                        try told < numbers.upperBound
                        && !ChangeTable.changes(told..<numbers.upperBound, models: models, limit: 1, in: connection)
                            .isEmpty
                    outlines[number] = CommitOutline(commit: commit, changes: changes, tally: tally, hasMore: hasMore)
                }
                return outlines
            }
        }
    }
}
