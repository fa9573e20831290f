import AviaryData
import AviaryDomain
import Synchronization

/// The store under test, with its failure state.
final class OpenStore: Sendable {
    let store: Store
    private let directory: DataDirectory
    private let failure: Failure

    init(_ path: String, _ ledger: Ledger) throws {
        let directory = try DataDirectory(path: path)
        let failure = Failure()
        store = try Store(
            directory: directory, schema: .driver(), sortIndexes: [],
            onFatalError: { reason in
                ledger.fatal(reason)
                failure.hasHappened.store(true, ordering: .releasing)
            })
        self.directory = directory
        self.failure = failure
    }

    var hasFailed: Bool { failure.hasHappened.load(ordering: .acquiring) }

    func submit(_ changeSet: ChangeSet) async throws(StoreError) -> Receipt {
        try await store.submit(changeSet)
    }

    func close() async {
        await store.close()
    }

    func records() throws -> SQLRecordRepository {
        let readers = try ReaderPool(directory: directory, schema: .driver())
        return SQLRecordRepository(model: Animal.schema, schema: try .driver(), readers: readers, writer: store)
    }
}

private final class Failure: Sendable {
    let hasHappened = Atomic<Bool>(false)
}
