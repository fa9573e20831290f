import AviaryDomain

extension PostgreSQLConnection: SharedDatabase {
    func reconnect() throws {
        let last = process
        try open()
        // The next turn shows whether another writer, or this one's last COMMIT, has changed the store.
        if turn != nil { turn = -1 }
        try endLastProcess(last)
    }

    func keepOthersOut(for duration: Duration?) throws(EngineError) {
        guard let duration else { return try run(PostgreSQLStoreTable.release(by: holder)) }
        let milliseconds = Int64(duration / .milliseconds(1))
        try run(PostgreSQLStoreTable.hold(by: holder, forMilliseconds: milliseconds))
    }
}
