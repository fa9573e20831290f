package import AviaryDomain
import CSQLite
package import Foundation

/// The columns of the row that the statement stands on; from 0, as SQLite counts.
extension Statement {
    package func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    package func text(_ column: Int32) -> String? {
        utf8(column).map { String(decoding: $0, as: UTF8.self) }
    }

    package func blob(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    /// The record's id; nil when the column holds anything but canonical text.
    package func uuid(_ column: Int32) -> UUID? {
        utf8(column).flatMap(UUID.init(canonicalUTF8:))
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    package func value(_ column: Int32) -> FieldValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// Valid until the statement moves.
    private func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
