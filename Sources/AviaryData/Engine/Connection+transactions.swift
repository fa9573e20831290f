extension Connection {
    /// All statements of the body see the same state of the store.
    package func snapshot<T>(_ body: () throws -> T) throws -> T {
        try begin(dialect.beginReading)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// The body's changes become visible together, or none of them.
    func transaction<T>(_ body: () throws -> T) throws -> T {
        try begin(dialect.beginWriting)
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            abandonTransaction()
            throw error
        }
    }

    /// Begins a transaction, or leaves none. SQLite looks at the time also after BEGIN has taken effect: one that fails as
    /// interrupted has begun.
    private func begin(_ statement: String) throws {
        let isNested = isInTransaction
        do {
            try run(statement)
        } catch {
            if !isNested { abandonTransaction() }
            throw error
        }
    }

    /// Ends the open transaction, if any is left, without keeping anything of it.
    func abandonTransaction() {
        guard isInTransaction else { return }
        // A ROLLBACK can only fail because the engine has rolled back already.
        _ = try? rollBack()
    }
}
