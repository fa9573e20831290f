import CSQLite

extension Connection {
    /// False also after SQLite rolled back by itself, as it does when the disk is full or fails.
    var isInTransaction: Bool {
        handle.map { sqlite3_get_autocommit($0) == 0 } ?? false
    }

    /// Rows that the last statement inserted, changed or deleted.
    var changedRows: Int {
        handle.map { Int(sqlite3_changes64($0)) } ?? 0
    }

    /// Whether a COMMIT now would fail because a reference points nowhere.
    var hasDanglingReferences: Bool {
        handle.map { aviary_has_dangling_references($0) != 0 } ?? false
    }

    /// All statements of the body see the same state of the store.
    package func snapshot<T>(_ body: () throws -> T) throws -> T {
        try run("BEGIN")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Ends the open transaction, if any is left, without keeping anything of it.
    func abandonTransaction() {
        guard isInTransaction else { return }
        // A ROLLBACK can only fail because SQLite has rolled back already.
        _ = try? run("ROLLBACK")
    }
}
