extension Connection {
    /// `AVIA`, so that a file that is something else is never written to.
    static let storeID = 0x4156_4941

    /// - Throws: ``StoreOpenError/notAStore(path:)``, ``StoreOpenError/unreadable(path:)``, ``SQLiteError``.
    func checkIsStore() throws {
        guard try telling({ try pragma("application_id") }) == String(Self.storeID) else {
            throw StoreOpenError.notAStore(path: path)
        }
    }

    /// Nothing yet, or no more than the settings that a store begins with: its first opening was cut off.
    func isEmptyStore() throws -> Bool {
        try telling {
            if try pragma("page_count") == "0" { return true }
            guard try pragma("application_id") == "0", try pragma("auto_vacuum") == "2" else { return false }
            return try tableNames().isEmpty
        }
    }

    /// SQLite's own errors do not say which file is meant.
    private func telling<T>(_ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as SQLiteError where error.isDamage {
            throw StoreOpenError.unreadable(path: path)
        }
    }
}
