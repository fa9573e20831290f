package import AviaryDomain
package import Foundation

/// A repository that reads the history from the store's file.
package struct SQLHistoryRepository: HistoryRepository {
    let readers: ReaderPool
    private let writer: any ChangeWriter

    package init(readers: ReaderPool, writer: any ChangeWriter) {
        self.readers = readers
        self.writer = writer
    }

    package func commits(_ query: HistoryQuery) async throws -> [CommitSummary] {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                try HistoryReader(query: query, connection: connection).commits()
            }
        }
    }

    package func commit(_ number: Int64) async throws -> CommitSummary? {
        try readers.read { connection in
            try connection.snapshot {
                guard let first = try ChangeTable.firstNumber(in: connection),
                    let numbers = try CommitTable.changes(of: number, in: connection),
                    !numbers.isEmpty, numbers.lowerBound >= first
                else { return nil }
                return try CommitTable.summary(of: number, in: connection)
            }
        }
    }

    package func changes(
        of commit: Int64, models: Set<String>?, after number: Int64?, limit: Int
    ) async throws -> [RecordChange] {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                guard let numbers = try CommitTable.changes(of: commit, in: connection) else { return [] }
                let first = number.map { max(numbers.lowerBound, $0 == .max ? .max : $0 + 1) } ?? numbers.lowerBound
                guard first < numbers.upperBound else { return [] }
                return try ChangeTable.changes(first..<numbers.upperBound, models: models, limit: limit, in: connection)
            }
        }
    }

    package func tally(of commit: Int64, limit: Int?) async throws -> [ChangeTally] {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                guard let numbers = try CommitTable.changes(of: commit, in: connection) else { return [] }
                return try ChangeTable.tally(numbers, limit: limit, in: connection)
            }
        }
    }

    package func changes(of record: UUID, in model: String, before number: Int64?, limit: Int) async throws
        -> [RecordChange]
    {
        try readers.read { connection in
            try ChangeTable.lastChanges(of: record, model, before: number ?? .max, limit: limit, in: connection)
        }
    }

    package func undoBarrier() async throws -> Int64 {
        try readers.read { try UndoPlanner.barrier(in: $0) }
    }

    package func undo(_ undo: Undo) async throws(StoreError) -> Receipt {
        try await writer.undo(undo)
    }
}

extension SQLHistoryRepository {
    package func values(of record: UUID, in model: String, asOf point: HistoryPoint) async throws -> PreviousValues? {
        try await readers.readShortOrLong { connection in
            try connection.snapshot {
                var past = RecordRewind(to: point)
                try ChangeTable.forEachChange(of: record, model, in: connection) { past.goBack($0) }
                guard let commit = past.commit else { return nil }
                return PreviousValues(
                    values: past.values, secrets: past.secrets,
                    commit: try CommitTable.summary(of: commit, in: connection),
                    last: try past.last.flatMap { try CommitTable.summary(of: $0, in: connection) }
                )
            }
        }
    }
}

/// A rewind of a record from its current values to an earlier point, change by change.
private struct RecordRewind {
    let point: HistoryPoint
    private(set) var values: [String: FieldValue] = [:]
    private(set) var secrets: Set<String> = []
    /// The commit of the newest change after the point.
    private(set) var last: Int64?
    /// The commit of the change at the point; nil until it is found.
    private(set) var commit: Int64?

    init(to point: HistoryPoint) {
        self.point = point
    }

    /// Undoes a change.
    ///
    /// - Parameter change: The change that precedes the one of the previous call.
    /// - Returns: A Boolean value that indicates whether the preceding change is needed, too.
    mutating func goBack(_ change: RecordChange) -> Bool {
        if point.includes(change) {
            // A point that names a change is valid only if the record has that change.
            if case .change(let number) = point, number != change.number { return false }
            commit = change.commit
            return false
        }
        if last == nil { last = change.commit }
        switch change.kind {
        case .insert, .delete: return false
        case .link, .unlink: return true
        case .update:
            for (name, field) in change.fields {
                values[name] = field.isSecret ? nil : field.before
                if field.isSecret { secrets.insert(name) } else { secrets.remove(name) }
            }
            return true
        }
    }
}

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
                    // Changes that were read need not be counted by a query.
                    let tally =
                        changes.count == numbers.count
                        ? changes.tally : try ChangeTable.tally(numbers, limit: most, in: connection)
                    let firstUnread = max(
                        numbers.lowerBound + Int64(min(most, numbers.count)), (changes.last?.number ?? 0) + 1)
                    let hasMore =
                        try firstUnread < numbers.upperBound
                        && !ChangeTable.changes(
                            firstUnread..<numbers.upperBound, models: models, limit: 1, in: connection
                        )
                        .isEmpty
                    outlines[number] = CommitOutline(commit: commit, changes: changes, tally: tally, hasMore: hasMore)
                }
                return outlines
            }
        }
    }
}
