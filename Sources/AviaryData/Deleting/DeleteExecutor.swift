import AviaryDomain

/// Does what a resolution says.
struct DeleteExecutor {
    let connection: Connection
    /// The version that changed records get.
    let commit: Int64

    /// - Returns: How many rows of each model are gone.
    func run(_ resolution: DeleteResolution) throws -> [String: Int] {
        for referrers in resolution.nullifications {
            try nullify(referrers)
        }
        var removed: [String: Int] = [:]
        // Referring rows first: SQLite then has no dangling references to count.
        for rows in resolution.deletions.reversed() {
            try delete(rows)
            removed[rows.table.model.name, default: 0] += rows.rows.count
        }
        return removed
    }

    private func nullify(_ referrers: DeleteResolution.Referrers) throws {
        let sql = """
            UPDATE \(referrers.table.name) SET \(SQL.name(referrers.key.property)) = NULL, aviary_version = ? \
            WHERE rowid IN (SELECT value FROM json_each(?))
            """
        try RowList(referrers.rows).forEachList { try connection.run(sql, .integer(commit), $0) }
    }

    private func delete(_ rows: DeleteResolution.Rows) throws {
        let sql = "DELETE FROM \(rows.table.name) WHERE rowid IN (SELECT value FROM json_each(?))"
        try RowList(rows.rows).forEachList { try connection.run(sql, $0) }
    }
}
