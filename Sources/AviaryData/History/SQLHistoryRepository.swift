package import AviaryDomain
import Foundation

/// The history as the store's file has it.
package struct SQLHistoryRepository: HistoryRepository {
    private let readers: ReaderPool
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

    package func changes(of commit: Int64, after number: Int64?, limit: Int) async throws -> [RecordChange] {
        try readers.read { connection in
            try connection.snapshot {
                guard let numbers = try CommitTable.changes(of: commit, in: connection) else { return [] }
                let first = number.map { max(numbers.lowerBound, $0 == .max ? .max : $0 + 1) } ?? numbers.lowerBound
                guard first < numbers.upperBound else { return [] }
                return try ChangeTable.changes(first..<numbers.upperBound, limit: limit, in: connection)
            }
        }
    }

    package func undo(_ undo: Undo) async throws(StoreError) -> Receipt {
        try await writer.undo(undo)
    }
}
