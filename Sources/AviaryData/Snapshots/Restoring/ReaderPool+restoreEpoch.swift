import AviaryDomain

extension ReaderPool {
    /// Returns the file's current restore epoch, which a restore changes while readers are open.
    ///
    /// - Throws: ``EngineError``; ``StoreOpenError`` when the file has none.
    package func restoreEpoch() throws -> String {
        try read { connection in
            let value = try MetaTable.value(.restoreEpoch, in: connection)
            guard case .text(let epoch) = value else { throw StoreOpenError.notAStore(path: connection.path) }
            return epoch
        }
    }
}
