import AviaryData
import AviaryDomain
import AviaryIPC
import Foundation
import Logging

extension DependencyContainer {
    /// The durability of acknowledged writes, as text for people.
    package static var durability: String { Store.durability }
}

/// The store of this process as a service for its socket's server.
struct InProcessStore: StoreService {
    let store: Store
    private let metrics = MetricsExchange()
    private let events = EventLog.current

    init(store: Store) {
        self.store = store
    }

    func write(_ request: WriteRequest) async throws(StoreError) -> Receipt? {
        let receipt = try await store.write(request)
        if case .submit(let changeSet) = request, receipt?.isRepeat == false { events?.logEvents(changeSet.changes) }
        return receipt
    }

    func replaceContents(
        withStoreAt path: String, keepingReplacedAt kept: String, holder: UUID
    ) async throws(StoreError) -> Int64 {
        try await store.replaceContents(withStoreAt: path, keepingReplacedAt: kept, holder: holder)
    }

    func acquireWriteLease(for holder: UUID) async throws(StoreError) { try await store.acquireWriteLease(for: holder) }
    func releaseWriteLease(for holder: UUID) async throws(StoreError) { await store.releaseWriteLease(for: holder) }
    func abandonWriteLease(for holder: UUID) async { await store.abandonWriteLease(for: holder) }

    func enqueue(_ writes: [QueuedWrite]) {
        store.enqueue(events.map { events in writes.map { events.loggingEvents($0) } } ?? writes)
    }

    func status() async -> StoreStatus {
        let statistics = await store.statistics
        return StoreStatus(
            pid: getpid(), commits: statistics.commits, batches: statistics.batches,
            waiting: statistics.waiting, lastCommit: statistics.lastCommit, logPages: statistics.logPages,
            fileCheck: statistics.fileCheck, measures: statistics.measures, longChange: statistics.longChange
        )
    }

    func checkFile() async { await store.checkFile() }
    func stopLongChange(_ changeSet: UUID) async { await store.stopLongChange(changeSet) }

    func exchangeMetrics(_ report: Data) async -> Data {
        metrics.answer(report)
    }

    func close() async {
        await store.close()
    }
}

extension DependencyContainer {
    /// Seals the second factors' secrets that an earlier version stored for their accounts. The process that owns
    /// the store calls it.
    ///
    /// A secret that cannot be sealed now is sealed when its owner signs in, or at the next start. No request waits
    /// for it.
    func resealSecrets(logger: Logger) async {
        do {
            let count = try await accounts.resealSecrets(with: SealedOneTimePasswords(keys: keys))
            if count > 0 {
                logger.notice(
                    "secrets of second factors were sealed for their accounts",
                    metadata: ["count": .stringConvertible(count)])
            }
        } catch {
            logger.warning("secrets of second factors could not be sealed for their accounts", error: error)
        }
    }
}
