import AviaryDomain
import Foundation

extension ChangeTable {
    private static let ofCommit = Query(
        """
        SELECT \(columns) FROM aviary_change WHERE number >= ? AND number < ? ORDER BY number LIMIT ?
        """
    )
    private static let since = Query(
        """
        SELECT \(columns) FROM aviary_change WHERE record = ? AND model = ? AND number >= ? ORDER BY number LIMIT ?
        """
    )

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
        try connection.rows(since, [.text(record.canonicalText), .text(model), .integer(number), .integer(Int64(limit))], read: change)
    }

    private static func change(_ row: any Row) throws -> RecordChange {
        guard let model = row.text(2), let record = row.uuid(3), let kind = RecordChange.Kind(rawValue: row.integer(4)),
              let fields = row.text(5)
        else { throw RecordDecodingError(model: "aviary_change") }
        var reader = JSONReader(Array(fields.utf8))
        return RecordChange(
            number: row.integer(0), commit: row.integer(1), model: model, record: record, kind: kind,
            fields: try reader.fieldChanges(kind)
        )
    }
}
