import AviaryDomain
import CSQLite
import Foundation

extension SQLiteStatement {
    func isNull(_ column: Int) -> Bool {
        sqlite3_column_type(handle, Int32(truncatingIfNeeded: column)) == SQLITE_NULL
    }

    func integer(_ column: Int) -> Int64 {
        sqlite3_column_int64(handle, Int32(truncatingIfNeeded: column))
    }

    func text(_ column: Int) -> String? {
        utf8(Int32(truncatingIfNeeded: column)).map { String(decoding: $0, as: UTF8.self) }
    }

    func blob(_ column: Int) -> [UInt8] {
        [UInt8](bytes(Int32(truncatingIfNeeded: column)))
    }

    func uuid(_ column: Int) -> UUID? {
        utf8(Int32(truncatingIfNeeded: column)).flatMap(UUID.init(canonicalUTF8:))
    }

    func value(_ column: Int) -> FieldValue {
        switch valueInPlace(column) {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): .blob([UInt8](bytes))
        }
    }

    func values(_ columns: Range<Int>) -> [FieldValue] {
        columns.map { value($0) }
    }

    func valueInPlace(_ column: Int) -> ValueInPlace {
        let column = Int32(truncatingIfNeeded: column)
        return switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(utf8(column) ?? UnsafeBufferPointer(start: nil, count: 0))
        case SQLITE_BLOB: .blob(bytes(column))
        default: .null
        }
    }

    private func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8>? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        return UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Returns the bytes of a column; empty when there are none.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let bytes = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }
}
