import AviaryData
import AviaryDomain
import Logging

/// Builds the parts and hands them to each other by their protocols. The only place that names concrete stores.
struct DependencyContainer: Sendable {
    let schema: Schema
    let writer: any ChangeWriter
    let ledger: any DraftLedger
    /// Changes when the store is restored from a snapshot.
    let restoreEpoch: String
    let keys: KeyRing
    /// In the order of the admin's declaration.
    let models: [AdminModel]
    private let modelsBySlug: [String: AdminModel]
    private let store: Store
    private let readers: ReaderPool

    /// Opens the data directory: one process at a time owns its store.
    ///
    /// - Throws: `DataDirectoryError`, or what the store finds wrong with its file.
    init(
        data path: String, schema: Schema, configurations: [ModelConfiguration],
        onFatalError: @escaping @Sendable (String) -> Void
    ) throws {
        let directory = try DataDirectory(path: path)
        let sortIndexes = configurations.flatMap { configuration in
            configuration.sortableColumns.map { SortIndex(model: configuration.schema.name, property: $0) }
        }
        let store = try Store(
            directory: directory, schema: schema, sortIndexes: sortIndexes, onFatalError: onFatalError
        )
        let readers = try ReaderPool(directory: directory, schema: schema)
        let models = configurations.map { configuration in
            AdminModel(
                configuration: configuration,
                repository: SQLRecordRepository(
                    model: configuration.schema, schema: schema, readers: readers, writer: store
                )
            )
        }
        self.schema = schema
        self.models = models
        self.store = store
        self.readers = readers
        writer = store
        ledger = SQLDraftLedger(readers: readers, writer: store)
        restoreEpoch = store.restoreEpoch
        keys = try KeyRing(directory: directory.keysPath)
        modelsBySlug = Dictionary(models.map { ($0.schema.slug, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func model(slug: String) -> AdminModel? {
        modelsBySlug[slug]
    }

    func model(named name: String) -> AdminModel? {
        models.first { $0.schema.name == name }
    }

    /// Commits what is open and closes the files.
    func close() async {
        readers.close()
        await store.close()
    }
}
