import AviaryData
import AviaryDomain
import AviaryIPC

/// What an ``AviaryStore`` works with: readers of the file, and a writer that may be the socket of another process's store.
struct StoreConnection: Sendable {
    let writer: any ChangeWriter
    private let readers: ReaderPool
    private let schema: Schema
    private let onClose: @Sendable () -> Void

    /// Creates nothing and takes no lock.
    ///
    /// - Throws: `DataDirectoryError`, or what is wrong with the store's file.
    init(data path: String, patience: Duration = StoreClient.patience) throws {
        let directory = try DataDirectory(existing: path)
        // Each model is looked at when it is asked for: it may refer to others that this program does not declare.
        schema = try Schema([])
        readers = try ReaderPool(directory: directory, schema: schema)
        let client = StoreClient(path: directory.socketPath, as: .app, patience: patience)
        writer = client
        onClose = { [readers] in
            readers.close()
            client.close()
        }
    }

    /// Of a process that has the store's parts already, and closes them itself.
    fileprivate init(writer: any ChangeWriter, readers: ReaderPool, schema: Schema) {
        self.writer = writer
        self.readers = readers
        self.schema = schema
        onClose = {}
    }

    /// - Throws: `ModelMismatch`, `ReadError`.
    func records(of model: ModelSchema) throws -> any ModelRecords {
        try readers.check(model)
        return SQLRecordRepository(model: model, schema: schema, readers: readers, writer: writer)
    }

    func close() {
        onClose()
    }
}

extension DependencyContainer {
    /// The store as the application's own routes and commands see it: with the application's hooks.
    func store(for author: String) -> AviaryStore {
        AviaryStore(author: author, connection: StoreConnection(writer: writer, readers: readers, schema: schema))
    }
}
