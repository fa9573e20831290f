package import AviaryDomain
package import Foundation

/// A repository of figures over many records, from the store's file.
///
/// Each figure is one long read, which is interrupted after a few seconds.
package struct SQLStatisticsRepository: StatisticsRepository {
    private let readers: ReaderPool

    package init(readers: ReaderPool) {
        self.readers = readers
    }

    /// The time limit of a statistic. No statistic is worth a longer wait.
    private static let patience: Duration = .seconds(5)

    package func changes(of models: Set<String>, between times: [Date]) async throws -> [String: [Int]] {
        guard times.count > 1 else { return [:] }
        return try await readers.readLong(timeLimit: Self.patience) { connection in
            try connection.snapshot {
                let marks = try times.map { try ChangeTable.firstNumber(since: $0, in: connection) }
                var counts: [String: [Int]] = [:]
                for model in models {
                    counts[model] = try zip(marks, marks.dropFirst()).map { first, end in
                        first < end ? try ChangeTable.count(of: model, first..<end, in: connection) : 0
                    }
                }
                return counts
            }
        }
    }

    package func distribution(of property: String, in model: String, limit: Int) async throws -> [ValueCount] {
        guard let table = readers.tables[model], let index = table.model.storedIndex(of: property),
            table.columns.indices.contains(index)
        else { return [] }
        let column = table.columns[index]
        let sql =
            "SELECT \(column), count(*) FROM \(table.name) GROUP BY \(column) ORDER BY count(*) DESC, \(column) LIMIT ?"
        return try await readers.readLong(timeLimit: Self.patience) { connection in
            try connection.rows(sql, [.integer(Int64(limit))]) { row in
                ValueCount(value: row.value(0), count: Int(row.integer(1)))
            }
        }
    }
}

extension ChangeTable {
    private static let since = Query(
        "SELECT first_change FROM aviary_commit WHERE time >= ? ORDER BY time, number LIMIT 1"
    )
    private static let ofModel = Query(
        "SELECT count(*) FROM aviary_change WHERE model = ? AND number >= ? AND number < ?")

    /// Returns the number of the first change at the time or later; a number beyond all changes if there is none.
    fileprivate static func firstNumber(since time: Date, in connection: any Connection) throws -> Int64 {
        try connection.firstRow(since, [.integer(time.milliseconds)]) { $0.integer(0) } ?? .max
    }

    fileprivate static func count(of model: String, _ numbers: Range<Int64>, in connection: any Connection) throws
        -> Int
    {
        try connection.firstRow(
            ofModel, [.text(model), .integer(numbers.lowerBound), .integer(numbers.upperBound)]
        ) { Int($0.integer(0)) } ?? 0
    }
}
