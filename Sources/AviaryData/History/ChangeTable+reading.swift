import AviaryDomain
import Foundation

extension ChangeTable {
    private static let ofCommit = Query(
        """
        SELECT \(columns) FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number LIMIT ?
        """
    )
    /// Of one model, by its index.
    static let modelSearch =
        "SELECT \(columns) FROM aviary_change WHERE model = ? AND number >= ? AND number < ? ORDER BY number LIMIT ?"
    private static let inModel = Query(modelSearch)
    static let allOfRecord = ofRecord("ORDER BY number DESC")
    static let laterOfRecord = ofRecord("AND number >= ? ORDER BY number LIMIT ?")
    static let earlierOfRecord = ofRecord("AND number < ? ORDER BY number DESC LIMIT ?")

    /// By the record's index alone: where a range of numbers is asked for, SQLite would take the model's, and a model has as many
    /// changes as there are.
    private static func ofRecord(_ rest: String) -> Query {
        Query { "SELECT \(columns) FROM aviary_change WHERE record = ? AND \($0.withoutIndex("model")) = ? \(rest)" }
    }

    private static let counts = Query(
        """
        SELECT model, kind, count(*) FROM \
        (SELECT model, kind FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number LIMIT ?) AS entry \
        GROUP BY model, kind ORDER BY model, kind
        """
    )

    /// - Parameters:
    ///   - numbers: As `aviary_commit` keeps them.
    ///   - models: Only changes of these.
    static func changes(
        _ numbers: Range<Int64>, models: Set<String>?, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        guard let models else { return try changes(numbers, limit: limit, in: connection) }
        // A seek for each: in a commit of very many changes, those of a model may be few, or all at the end.
        let found = try models.flatMap { model in
            try connection.rows(
                inModel,
                [.text(model), .integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))],
                read: change
            )
        }
        return Array(found.sorted { $0.number < $1.number }.prefix(limit))
    }

    /// - Parameter limit: Only so many are counted; nil for all.
    static func tally(_ numbers: Range<Int64>, limit: Int?, in connection: any Connection) throws -> [ChangeTally] {
        let limit = Int64(min(limit ?? numbers.count, numbers.count))
        return try connection.rows(
            counts, [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(limit)]
        ) { row in
            guard let model = row.text(0), let kind = RecordChange.Kind(rawValue: row.integer(1)) else {
                throw RecordDecodingError(model: "aviary_change")
            }
            return ChangeTally(model: model, kind: kind, count: Int(row.integer(2)))
        }
    }

    /// What was done to the record before a number, newest first.
    static func lastChanges(
        of record: UUID, _ model: String, before number: Int64, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        try connection.rows(
            earlierOfRecord, [.text(record.canonicalText), .text(model), .integer(number), .integer(Int64(limit))],
            read: change
        )
    }

    /// What was done to the record, newest first, one after another, for as long as more is wanted.
    static func forEachChange(
        of record: UUID, _ model: String, in connection: any Connection, wantsMore: (RecordChange) -> Bool
    ) throws {
        let row = try connection.statement(allOfRecord)
        defer { row.reset() }
        try row.bind([.text(record.canonicalText), .text(model)])
        while try row.step() {
            guard wantsMore(try change(row)) else { return }
        }
    }

    /// - Parameter numbers: As `aviary_commit` keeps them.
    static func changes(_ numbers: Range<Int64>, limit: Int, in connection: any Connection) throws -> [RecordChange] {
        try connection.rows(
            ofCommit, [.integer(numbers.lowerBound), .integer(numbers.upperBound), .integer(Int64(limit))], read: change
        )
    }

    /// What was done to the record from a number on.
    static func changes(
        of record: UUID, _ model: String, from number: Int64, limit: Int, in connection: any Connection
    ) throws -> [RecordChange] {
        try connection.rows(
            laterOfRecord, [.text(record.canonicalText), .text(model), .integer(number), .integer(Int64(limit))],
            read: change)
    }

    static func change(_ row: any Row) throws -> RecordChange {
        guard let model = row.text(2), let record = row.uuid(3), let kind = RecordChange.Kind(rawValue: row.integer(4)),
            let fields = row.text(5)
        else { throw RecordDecodingError(model: "aviary_change") }
        var reader = JSONReader(Array(fields.utf8))
        return RecordChange(
            number: row.integer(0), commit: row.integer(1), model: model, record: record, kind: kind,
            fields: try reader.fieldChanges(kind)
        )
    }

    /// Returns a Boolean value that indicates whether the values of ``columns`` are those of an entry.
    static func isReadable(_ values: [FieldValue]) -> Bool {
        guard values.count == columnNames.count, case .text(let record) = values[3], UUID(canonicalText: record) != nil,
            case .integer(let number) = values[4], let kind = RecordChange.Kind(rawValue: number),
            case .text(let fields) = values[5]
        else { return false }
        var reader = JSONReader(Array(fields.utf8))
        return (try? reader.fieldChanges(kind)) != nil
    }
}
