package import AviaryDomain
package import Foundation

/// The history as the store's file has it.
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

    package func undo(_ undo: Undo) async throws(StoreError) -> Receipt {
        try await writer.undo(undo)
    }
}
