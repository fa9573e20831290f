package import AviaryDomain

extension ReaderPool {
    /// Looks whether a model that the pool was not opened with fits the file as it is now.
    ///
    /// - Throws: ``ModelMismatch``, ``ReadError``, ``EngineError``.
    package func check(_ model: ModelSchema) throws {
        let file = try read { connection in try connection.snapshot { try StoreLayout.summary(in: connection) } }
        try ModelMismatch.check(model, against: file)
    }
}
