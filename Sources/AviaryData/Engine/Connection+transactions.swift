extension Connection {
    /// All statements of the body see the same state of the store.
    package func snapshot<T>(_ body: () throws -> T) throws -> T {
        try run(dialect.beginReading)
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
        try run(dialect.beginWriting)
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
        // A ROLLBACK can only fail because the engine has rolled back already.
        _ = try? rollBack()
    }
}
