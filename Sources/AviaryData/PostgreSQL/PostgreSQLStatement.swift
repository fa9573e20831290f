import AviaryDomain
import CPostgreSQL
import Foundation

/// A statement as it was prepared for some types of parameters.
final class PostgreSQLPreparation {
    let name: String
    /// The session in which it was prepared.
    let session: Int
    var types: [UInt32]
    /// Indicates whether it is that of ``PostgreSQLText/assumingSQL``.
    let isAssumed: Bool
    /// Indicates whether the server has not prepared it, because of an error in it or in a statement before it.
    var isLost = false

    init(name: String, session: Int, types: [UInt32], isAssumed: Bool = false) {
        self.name = name
        self.session = session
        self.types = types
        self.isAssumed = isAssumed
    }
}

/// A prepared statement of a connection, with the rows of its execution.
final class PostgreSQLStatement: PreparedStatement {
    let text: PostgreSQLText
    var parameters: PostgreSQLParameters
    var preparations: [PostgreSQLPreparation] = []
    /// The types that the server infers in a session for the columns of an insertion; nil if they are not known.
    var columns: (session: Int, types: [UInt32])?
    /// The preparations of ``PostgreSQLText/groupSQL``.
    var groupPreparations: [PostgreSQLPreparation] = []
    /// The name of the cursor that reads the rows in pieces; nil if all are read at once.
    var cursor: String?
    private(set) var readsInPieces = false
    private weak var connection: PostgreSQLConnection?
    private var result: OpaquePointer?
    private var row: Int32 = -1
    private var rowCount: Int32 = 0

    init(_ text: PostgreSQLText, of connection: PostgreSQLConnection) {
        self.text = text
        self.connection = connection
        parameters = PostgreSQLParameters(count: text.parameters)
    }

    deinit {
        PQclear(result)
    }

    func bind(_ values: [FieldValue], from first: Int) throws(EngineError) {
        var index = first
        for value in values {
            parameters.set(value, at: index)
            index += 1
        }
    }

    func bind(_ value: FieldValue, at index: Int) throws(EngineError) {
        parameters.set(value, at: index)
    }

    func step() throws(EngineError) -> Bool {
        if row < 0 {
            take(try use().execute(self))
            row = 0
        } else {
            row += 1
        }
        if row >= rowCount, rowCount > 0, let next = try use().nextPiece(of: self) {
            take(next)
            row = 0
        }
        return row < rowCount
    }

    func execute() throws(EngineError) {
        PQclear(try use().execute(self))
    }

    func readInPieces() { readsInPieces = true }

    func reset() {
        PQclear(result)
        (result, row, rowCount) = (nil, -1, 0)
        parameters.clear()
        connection?.closeCursor(of: self)
        readsInPieces = false
    }

    private func use() throws(EngineError) -> PostgreSQLConnection {
        guard let connection else { throw .misuse("the connection is closed", operation: text.sql) }
        return connection
    }

    private func take(_ new: OpaquePointer?) {
        PQclear(result)
        result = new
        rowCount = new.map { PQntuples($0) } ?? 0
    }
}

extension PostgreSQLStatement {
    func isNull(_ column: Int) -> Bool {
        PQgetisnull(result, row, Int32(truncatingIfNeeded: column)) == 1
    }

    func integer(_ column: Int) -> Int64 {
        if case .integer(let number) = borrowedValue(column) { number } else { 0 }
    }

    func text(_ column: Int) -> String? {
        switch borrowedValue(column) {
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .null, .blob: nil
        }
    }

    func blob(_ column: Int) -> [UInt8] {
        switch borrowedValue(column) {
        case .blob(let bytes): [UInt8](bytes)
        case .text(let bytes): [UInt8](bytes)
        case .null, .integer, .real: []
        }
    }

    func uuid(_ column: Int) -> UUID? {
        if case .text(let bytes) = borrowedValue(column) { UUID(canonicalUTF8: bytes) } else { nil }
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
        guard PQgetisnull(result, row, column) == 0, let start = PQgetvalue(result, row, column) else { return .null }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, row, column)))
        return switch UInt32(PQftype(result, column)) {
        case PostgreSQLType.bigint: .integer(Int64(bitPattern: Self.number(bytes)))
        case PostgreSQLType.integer: .integer(Int64(Int32(truncatingIfNeeded: Self.number(bytes))))
        case PostgreSQLType.smallint: .integer(Int64(Int16(truncatingIfNeeded: Self.number(bytes))))
        case PostgreSQLType.boolean: .integer(bytes.first == 1 ? 1 : 0)
        case PostgreSQLType.double: .real(Double(bitPattern: Self.number(bytes)))
        case PostgreSQLType.bytes: .blob(bytes)
        default: .text(bytes.bindMemory(to: UInt8.self))
        }
    }

    /// Returns the number whose bytes are in the order of the network.
    private static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
