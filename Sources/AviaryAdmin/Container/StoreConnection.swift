import AviaryData
package import AviaryDomain
import AviaryIPC

/// The parts of an ``AviaryStore``: readers of the file and a writer, which may be the socket of another process's
/// store.
package struct StoreConnection: Sendable {
    let writer: any ChangeWriter
    private let readers: ReaderPool
    private let schema: Schema
    private let onClose: @Sendable () -> Void

    /// Connects to the store of a data directory. It creates no file and takes no lock.
    ///
    /// - Throws: `DataDirectoryError`, or an error that describes a problem with the store's file.
    package init(_ location: StoreLocation, patience: Duration = StoreClient.patience) throws {
        // The directory of a host has no file of a store that a database contains.
        let directory =
            try location.database == nil
            ? DataDirectory(existing: location.path) : DataDirectory(found: location.path)
        // Each model is checked on its first use, because it may refer to models that this program does not
        // declare.
        schema = try Schema([])
        readers = try ReaderPool(directory: directory, schema: schema, engine: location.engine)
        let client = StoreClient(path: directory.socketPath, as: .app, patience: patience)
        writer = client
        onClose = { [readers] in
            readers.close()
            client.close()
        }
    }

    /// Connects to the store that a data directory contains.
    package init(data path: String, patience: Duration = StoreClient.patience) throws {
        try self.init(StoreLocation(path), patience: patience)
    }

    /// Creates the connection of a process that already has the store's parts and closes them itself.
    fileprivate init(writer: any ChangeWriter, readers: ReaderPool, schema: Schema) {
        self.writer = writer
        self.readers = readers
        self.schema = schema
        onClose = {}
    }

    /// Returns the records of a model after comparing the model with the file.
    ///
    /// - Throws: `ModelMismatch`, `ReadError`.
    package func records(of model: ModelSchema) throws -> any ModelRecords {
        try readers.check(model)
        return SQLRecordRepository(model: model, schema: schema, readers: readers, writer: writer)
    }

    package func close() {
        onClose()
    }
}

extension DependencyContainer {
    /// Returns the store for the application's own routes and commands, with the application's save hooks.
    func store(for author: String) -> AviaryStore {
        AviaryStore(author: author, connection: StoreConnection(writer: writer, readers: readers, schema: schema))
    }
}
