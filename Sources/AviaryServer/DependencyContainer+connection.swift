import AviaryData
import AviaryDomain
import AviaryIPC

/// A store that another process owns, as a program sees it that serves nothing: it reads the file and writes through the
/// store's socket.
struct StoreConnection: Sendable {
    private let client: StoreClient
    private let readers: ReaderPool
    private let schema: Schema

    /// Creates nothing and takes no lock.
    ///
    /// - Throws: `DataDirectoryError`, or what is wrong with the store's file.
    init(data path: String, patience: Duration = StoreClient.patience) throws {
        let directory = try DataDirectory(existing: path)
        // Each model is looked at when it is asked for: it may refer to others that this program does not declare.
        schema = try Schema([])
        readers = try ReaderPool(directory: directory, schema: schema)
        client = StoreClient(path: directory.socketPath, as: .app, patience: patience)
    }

    var writer: any ChangeWriter { client }

    /// - Throws: `ModelMismatch`, `ReadError`.
    func records(of model: ModelSchema) throws -> any ModelRecords {
        try readers.check(model)
        return SQLRecordRepository(model: model, schema: schema, readers: readers, writer: client)
    }

    func close() {
        readers.close()
        client.close()
    }
}
