import AviaryDomain
import Foundation

extension ModelTable {
    /// The record of a row that begins with ``selection``.
    func record(_ row: any Row, referenceTitles: [String?] = []) throws(RecordDecodingError) -> Record {
        guard let id = row.uuid(0) else { throw RecordDecodingError(model: model.name) }
        return Record(
            id: id, version: row.integer(1), values: row.values(2..<columns.count + 2), referenceTitles: referenceTitles
        )
    }

    func record(_ id: String, in connection: any Connection) throws -> Record? {
        try connection.firstRow(find, [.text(id)]) { try record($0) }
    }
}

/// A row that this library did not write.
package struct RecordDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    package let model: String

    package var description: String {
        "A row of \(model) has an id that is not a canonical UUID. Another program wrote to the file: restore the last backup."
    }
}

extension RecordDecodingError: RedactedError {
    package var redacted: String { description }
}
