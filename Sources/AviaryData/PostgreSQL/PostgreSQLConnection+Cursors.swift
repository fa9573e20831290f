import CPostgreSQL

extension PostgreSQLConnection {
    /// The number of rows that are in memory at a time.
    private static let rowsPerPiece = 500

    func openCursor(of statement: PostgreSQLStatement, on link: PostgreSQLLink) throws(EngineError)
        -> OpaquePointer?
    {
        let name = newName(), cursor = "cursor_" + name
        let sql = "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.text.sql)"
        try link.queuePreparation(name, sql, types: statement.parameters.types)
        try link.queueExecution(name, sql, statement.parameters, isWanted: false)
        try link.queue("DEALLOCATE \(name)")
        statement.cursor = cursor
        try link.queue("FETCH \(Self.rowsPerPiece) FROM \(cursor)", isWanted: true)
        return try link.exchange()
    }

    /// Returns the next rows of a statement that reads them in pieces; nil if there are none.
    func nextPiece(of statement: PostgreSQLStatement) throws(EngineError) -> OpaquePointer? {
        guard let cursor = statement.cursor else { return nil }
        let link = try requireLink(statement.text.sql)
        if link.bounds.areOver { throw .interrupted(before: statement.text.sql) }
        do throws(EngineError) {
            try link.queue("FETCH \(Self.rowsPerPiece) FROM \(cursor)", isWanted: true)
            let result = try link.exchange()
            if PQntuples(result) > 0 { return result }
            PQclear(result)
            return nil
        } catch {
            recover(from: error)
            throw error
        }
    }

    func closeCursor(of statement: PostgreSQLStatement) {
        guard let cursor = statement.cursor else { return }
        statement.cursor = nil
        guard isInTransaction, let link, link.isOpen, !link.hasFailedTransaction else { return }
        // The end of the transaction closes a cursor that could not be closed.
        try? link.queue("CLOSE \(cursor)")
    }
}
