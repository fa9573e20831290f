package import AviaryDomain
import CZlib
package import Foundation

/// A ledger that reads the outcomes of drafts from the store's receipts.
package struct SQLDraftLedger: DraftLedger {
    private let readers: ReaderPool
    private let writer: any ChangeWriter

    package init(readers: ReaderPool, writer: any ChangeWriter) {
        self.readers = readers
        self.writer = writer
    }

    package func outcome(ofDraft id: UUID) async throws -> DraftOutcome? {
        try readers.read { connection in
            if let receipt = try CommitTable.receipt(id.canonicalText, in: connection) {
                return .saved(commit: receipt.commit)
            }
            return try DiscardedDraftTable.contains(id.canonicalText, in: connection) ? .discarded : nil
        }
    }

    package func restoreEpoch() async throws -> String {
        try readers.restoreEpoch()
    }

    package func discard(draft id: UUID) async throws(StoreError) {
        try await writer.discard(draft: id)
    }
}

/// The table `aviary_discard` of discarded drafts.
///
/// An entry is kept for as long as a stale copy of its draft may be submitted.
enum DiscardedDraftTable {
    static func creation(_ dialect: any SQLDialect) -> [String] {
        let columns = [
            ColumnDefinition("id", .text, "PRIMARY KEY NOT NULL"), ColumnDefinition("time", .integer, "NOT NULL"),
        ]
        return [
            dialect.createTable("aviary_discard", columns, .keyed),
            "CREATE INDEX aviary_discard_time ON aviary_discard (time)",
        ]
    }

    static let columns = ["id", "time"]

    private static let insert = Query("INSERT INTO aviary_discard (id, time) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
    private static let find = Query("SELECT 1 FROM aviary_discard WHERE id = ?")
    private static let trim = Query(
        "DELETE FROM aviary_discard WHERE id IN (SELECT id FROM aviary_discard WHERE time < ? ORDER BY time LIMIT ?)"
    )

    static func contains(_ draft: String, in connection: any Connection) throws -> Bool {
        try connection.firstRow(find, [.text(draft)]) { _ in true } ?? false
    }

    /// Adds a discarded draft.
    ///
    /// - Parameter time: The time of the store's own clock.
    static func add(_ draft: String, at time: Date, in connection: any Connection) throws(EngineError) {
        try connection.run(insert, [.text(draft), .integer(time.milliseconds)])
    }

    /// Removes some of the entries that are too old.
    ///
    /// - Parameter time: The time of the same clock as in ``add(_:at:in:)``.
    static func trim(atMost limit: Int, at time: Date, in connection: any Connection) throws(EngineError) {
        let oldest = time.addingTimeInterval(-CommitTable.receiptLifetime)
        try connection.run(trim, [.integer(oldest.milliseconds), .integer(Int64(limit))])
    }
}

/// A compression of drafts with zlib (RFC 1950).
package struct ZlibDraftCompression: DraftCompression {
    package init() {}

    package func compressed(_ bytes: [UInt8]) -> [UInt8]? {
        var length = compressBound(uLong(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        guard compress2(&output, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION) == Z_OK else { return nil }
        return Array(output.prefix(Int(length)))
    }

    package func expanded(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        var length = uLong(limit)
        var output = [UInt8](repeating: 0, count: limit)
        guard uncompress(&output, &length, bytes, uLong(bytes.count)) == Z_OK else { return nil }
        return Array(output.prefix(Int(length)))
    }
}
