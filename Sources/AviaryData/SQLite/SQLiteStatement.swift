import AviaryDomain
import CSQLite
import Dispatch
import Foundation
import Synchronization

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

    func readInPieces() {}

    func reset() {
        // The call repeats the error of the last step, which step() has already thrown.
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
        switch borrowedValue(column) {
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

    func borrowedValue(_ column: Int) -> BorrowedValue {
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

    /// Returns the bytes of a column; empty if there are none.
    private func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        guard let bytes = sqlite3_column_blob(handle, column) else {
            return UnsafeRawBufferPointer(start: nil, count: 0)
        }
        return UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// The bounds of a connection's work: a time limit and an interruption.
///
/// The object is used on the connection's thread, on which SQLite also calls the progress handler.
final class QueryDeadline {
    /// The number of virtual machine operations between checks. They take well below a millisecond, and reading the
    /// clock that often costs nothing.
    private static let operationsBetweenChecks: Int32 = 10_000

    private var deadline = UInt64.max
    private var cancellationToken: CancellationToken?
    /// Indicates whether the bounds are suspended.
    var isSuspended = false

    /// Installs the bounds on a handle. They must outlive the handle, or be removed.
    func install(on handle: OpaquePointer?) {
        sqlite3_progress_handler(
            handle, Self.operationsBetweenChecks,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    static func remove(from handle: OpaquePointer?) {
        if let handle { sqlite3_progress_handler(handle, 0, nil, nil) }
    }

    func begin(limit: Duration, cancellationToken: CancellationToken?) {
        deadline = DispatchTime.now().uptimeNanoseconds + limit.nanoseconds
        self.cancellationToken = cancellationToken
    }

    func end() {
        deadline = .max
        cancellationToken = nil
    }

    private var isOver: Bool {
        guard !isSuspended else { return false }
        return cancellationToken?.isRequested == true || DispatchTime.now().uptimeNanoseconds > deadline
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return seconds < 0 ? 0 : UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// An interrupter of a connection's work, which any thread can call.
///
/// Integrity checks walk whole B-trees without calling ``QueryDeadline``.
final class SQLiteInterrupter: ConnectionInterrupter {
    /// A container for the handle.
    ///
    /// It is safe to send: `sqlite3_interrupt` may be called on any thread while the connection is open. The lock
    /// is held during the call, and acquired before the connection closes.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    private let handle: Mutex<Handle?>

    init(_ connection: SQLiteConnection) {
        handle = Mutex(connection.handle.map(Handle.init))
    }

    func interrupt() {
        handle.withLock { handle in
            if let handle { sqlite3_interrupt(handle.pointer) }
        }
    }

    func detach() {
        handle.withLock { $0 = nil }
    }
}
