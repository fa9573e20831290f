import AviaryDomain
import Foundation

/// `aviary_receipt`: what became of change sets and drafts.
enum ReceiptTable {
    /// Longer than any draft lives.
    static let lifetime: TimeInterval = 8 * 86_400

    // Ids are of version 7 for the most part, so both trees grow at their ends.
    static let creation = [
        """
        CREATE TABLE aviary_receipt (id TEXT PRIMARY KEY NOT NULL, fingerprint BLOB, "commit" INTEGER, \
        time INTEGER NOT NULL) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX aviary_receipt_time ON aviary_receipt (time)",
    ]

    struct Entry {
        let fingerprint: [UInt8]
        /// Nil for a discarded draft.
        let commit: Int64?
    }

    static func entry(_ id: String, in connection: Connection) throws -> Entry? {
        try connection.firstRow(#"SELECT fingerprint, "commit" FROM aviary_receipt WHERE id = ?"#, [.text(id)]) { row in
            Entry(fingerprint: row.blob(0), commit: row.isNull(1) ? nil : row.integer(1))
        }
    }

    /// False when there is an entry of this id already, which then stays as it is.
    static func add(
        _ id: String, fingerprint: [UInt8]?, commit: Int64?, at time: Date, in connection: Connection
    ) throws(SQLiteError) -> Bool {
        try connection.run(
            #"INSERT INTO aviary_receipt (id, fingerprint, "commit", time) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"#,
            .text(id), fingerprint.map(FieldValue.blob) ?? .null, commit.map(FieldValue.integer) ?? .null,
            .integer(milliseconds(time))
        )
        return connection.changedRows == 1
    }

    /// Removes some of those that are older than ``lifetime``.
    static func trim(atMost limit: Int, at time: Date, in connection: Connection) throws(SQLiteError) {
        try connection.run(
            """
            DELETE FROM aviary_receipt WHERE id IN \
            (SELECT id FROM aviary_receipt WHERE time < ? ORDER BY time LIMIT ?)
            """,
            .integer(milliseconds(time.addingTimeInterval(-lifetime))), .integer(Int64(limit))
        )
    }

    private static func milliseconds(_ time: Date) -> Int64 {
        Int64(time.timeIntervalSince1970 * 1000)
    }
}
