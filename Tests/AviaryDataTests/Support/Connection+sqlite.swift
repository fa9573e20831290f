import CSQLite
import Testing

@testable import AviaryData

// What only SQLite has, for tests that look behind the door.
extension Connection {
    var sqlite: SQLiteConnection {
        get throws { try #require(self as? SQLiteConnection) }
    }

    var handle: OpaquePointer? { (self as? SQLiteConnection)?.handle }

    func pragma(_ name: String) throws -> String { try sqlite.pragma(name) }
}

extension Row {
    var columnCount: Int { (self as? SQLiteStatement).map { Int(sqlite3_column_count($0.handle)) } ?? 0 }
}
