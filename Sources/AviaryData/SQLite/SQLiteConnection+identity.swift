extension SQLiteConnection {
    /// `AVIA`, so that a file that is something else is never written to.
    static let storeID = 0x4156_4941

    func checkIsStore() throws {
        guard try telling({ try pragma("application_id") }) == String(Self.storeID) else {
            throw StoreOpenError.notAStore(path: path)
        }
    }

    func layoutVersion() throws -> String {
        try pragma("user_version")
    }

    func markAsStore(layout version: Int) throws {
        try run("PRAGMA application_id=\(Self.storeID)")
        try run("PRAGMA user_version=\(version)")
    }

    /// Returns a Boolean value that indicates whether the file is empty or contains only the settings of a new store,
    /// whose first opening was interrupted.
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
        } catch let error as EngineError where error.kind == .damage {
            throw StoreOpenError.unreadable(path: path)
        }
    }
}
