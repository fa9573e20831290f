import AviaryDomain
import CSQLite

/// A prepared statement of SQLite.
final class SQLiteStatement: PreparedStatement {
    let handle: OpaquePointer
    let sql: String

    init(handle: OpaquePointer, sql: String) {
        self.handle = handle
        self.sql = sql
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func step() throws(EngineError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        default: throw failure
        }
    }

    func execute() throws(EngineError) {
        defer { sqlite3_reset(handle) }
        guard sqlite3_step(handle) == SQLITE_DONE else { throw failure }
    }

    func reset() {
        // Repeats the error of the last step, which step() has thrown already.
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    private var failure: EngineError {
        EngineError(sqliteCode: sqlite3_extended_errcode(sqlite3_db_handle(handle)), operation: sql)
    }
}

extension SQLiteStatement {
    func bind(_ values: [FieldValue], from first: Int) throws(EngineError) {
        var index = first
        for value in values {
            try bind(value, at: index)
            index += 1
        }
    }

    func bind(_ value: FieldValue, at index: Int) throws(EngineError) {
        let index = Int32(truncatingIfNeeded: index)
        let status =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .real(let number): sqlite3_bind_double(handle, index, number)
            case .text(let text): bind(text, at: index)
            case .blob(let bytes): bind(bytes, at: index)
            }
        guard status == SQLITE_OK else { throw EngineError(sqliteCode: status, operation: sql) }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
            return bytes.withMemoryRebound(to: CChar.self) { aviary_bind_text(handle, index, $0.baseAddress, count) }
        }
    }

    private func bind(_ bytes: [UInt8], at index: Int32) -> Int32 {
        guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
        return bytes.withUnsafeBytes { aviary_bind_blob(handle, index, $0.baseAddress, count) }
    }
}
