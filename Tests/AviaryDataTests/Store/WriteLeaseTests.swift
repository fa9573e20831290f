import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Snapshot: writes during a restore")
struct WriteLeaseTests {
    @Test("A change set during a restore is stored completely before or after the restore")
    func concurrentWrites() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        let written = Tally()
        let writers = Task {
            var last = Receipt(changeSet: UUID(), commit: 0, isRepeat: false)
            while !Task.isCancelled {
                let site = Site(code: UUID().uuidString)
                last = try await fixture.insert(site, Specimen(site: site), Specimen(site: site))
                written.add()
            }
            return last.commit
        }
        try await eventually("writes are under way") { written.value > 0 }
        var commits: [Int64] = []
        for _ in 0..<3 { commits.append(try await fixture.snapshots.restore(from: path).commit) }
        writers.cancel()
        let last = try await writers.value
        #expect(commits == commits.sorted() && Set(commits).count == 3)
        #expect(last > 0)
        #expect(try await fixture.count(Specimen.self) == 2 * fixture.count(Site.self))
        #expect(try await fixture.totalsMatch())
        #expect(try integrity(of: fixture.directory.path) == "ok")
    }

    @Test("A change acknowledged during a restore is in the before-restore snapshot or in the store")
    func nothingBetween() async throws {
        let fixture = try StoreFixture.snapshots()
        let path = try await fixture.backup()
        // The records are enough for their snapshot to take a while.
        for _ in 0..<2 {
            let changes = (0..<1_000).map { _ in Change.insert(Site(code: UUID().uuidString)) }
            _ = try await fixture.store.submit(ChangeSet(author: "test", changes: changes))
        }
        let written = Tally()
        let writer = Task {
            var acknowledged: [String] = []
            while !Task.isCancelled {
                let site = Site(code: UUID().uuidString)
                _ = try await fixture.insert(site)
                acknowledged.append(site.code)
                written.add()
            }
            return acknowledged
        }
        try await eventually("ten are written") { written.value >= 10 }
        let restored = try await fixture.snapshots.restore(from: path)
        let before = written.value
        // One write may have been acknowledged before the restore and counted after it.
        try await eventually("writes go on") { written.value >= before + 2 }
        writer.cancel()
        let acknowledged = try await writer.value
        let kept = try SnapshotText(try #require(restored.replaced?.path)).lines.joined()
        let stored = Set(try fixture.readers.read { try $0.rows("SELECT code FROM \"Site\"") { $0.text(0) ?? "" } })
        let lost = acknowledged.filter { !stored.contains($0) && !kept.contains($0) }
        #expect(lost == [], "of \(acknowledged.count)")
        #expect(!stored.isEmpty, "writes went on behind it")
    }

    @Test("A write that arrives while writes are held is stored after their release")
    func held() async throws {
        let fixture = try StoreFixture.snapshots()
        let holder = UUID()
        try await fixture.store.acquireWriteLease(for: holder)
        let site = Site(code: "A1")
        let waiting = Task { try await fixture.insert(site) }
        try await eventually("the write is held") { await fixture.store.heldJobs == 1 }
        #expect(try await fixture.count(Site.self) == 0)
        await fixture.store.releaseWriteLease(for: holder)
        #expect(try await waiting.value.commit == 1)
        #expect(try await fixture.count(Site.self) == 1)
    }

    @Test("A second holder is rejected and cannot release the writes of the first")
    func heldByAnother() async throws {
        let fixture = try StoreFixture.snapshots(), first = UUID(), second = UUID()
        try await fixture.store.acquireWriteLease(for: first)
        await #expect(throws: StoreError.unavailable("another restore is under way. Try again when it has ended.")) {
            try await fixture.store.acquireWriteLease(for: second)
        }
        await fixture.store.releaseWriteLease(for: second)
        let waiting = Task { try await fixture.insert(Site(code: "A1")) }
        try await eventually("the write is held") { await fixture.store.heldJobs == 1 }
        #expect(try await fixture.count(Site.self) == 0)
        await fixture.store.releaseWriteLease(for: first)
        #expect(try await waiting.value.commit == 1)
    }

    @Test("Replacing the store is rejected unless the caller holds its writes")
    func replacedWithoutHold() async throws {
        let fixture = try StoreFixture.snapshots(), other = try StoreFixture.snapshots()
        try await fixture.insertSample()
        await other.store.close()
        let count = try await fixture.count(Site.self)
        await #expect(throws: StoreError.self) {
            try await fixture.store.replaceContents(
                withStoreAt: other.directory.storePath,
                keepingReplacedAt: ReplacedStore.path(in: fixture.directory, for: UUID()), holder: UUID())
        }
        #expect(try await fixture.count(Site.self) == count)
    }

    @Test("Writes continue soon after the heartbeat of their holder stops, and the hold cannot begin again")
    func heldByNobody() async throws {
        #expect(Store.maximumLeaseDuration == .seconds(10))
        let fixture = try StoreFixture(.snapshots(), maximumLeaseDuration: .milliseconds(100)), holder = UUID()
        // This call is the last heartbeat of the holder.
        try await fixture.store.acquireWriteLease(for: holder)
        #expect(try await fixture.insert(Site(code: "A1")).commit == 1)
        await #expect(throws: StoreError.self) { try await fixture.store.acquireWriteLease(for: holder) }
    }

    @Test("A lease that expires is reported with its duration")
    func reportsExpiredLease() async throws {
        let temporary = TemporaryDirectory(), reported = Mutex<[Duration]>([])
        let longest: Duration = .milliseconds(100)
        let store = try Store(
            directory: DataDirectory(path: temporary.path), schema: .snapshots(), sortIndexes: [],
            onExpiredLease: { duration in reported.withLock { $0.append(duration) } }, maximumLeaseDuration: longest
        )
        try await store.acquireWriteLease(for: UUID())
        try await eventually("the expiry is reported") { reported.withLock { !$0.isEmpty } }
        #expect(reported.withLock { $0.count } == 1)
        #expect(reported.withLock { $0.first.map { $0 >= longest } } == true)
        await store.close()
    }

    @Test("A renewed lease keeps its start, and a released lease is not reported as expired")
    func renewed() async throws {
        let temporary = TemporaryDirectory(), reported = Mutex<[Duration]>([])
        let store = try Store(
            directory: DataDirectory(path: temporary.path), schema: .snapshots(), sortIndexes: [],
            onExpiredLease: { duration in reported.withLock { $0.append(duration) } },
            maximumLeaseDuration: .seconds(3600)
        )
        let holder = UUID()
        try await store.acquireWriteLease(for: holder)
        let began = await store.holdBegan
        try await store.acquireWriteLease(for: holder)
        #expect(await store.holdBegan == began && began != nil)
        await store.releaseWriteLease(for: holder)
        #expect(await store.holdBegan == nil)
        await store.close()
        #expect(reported.withLock { $0.isEmpty })
    }

    @Test("A renewed hold ends at the maximum duration, and its next renewal fails with advice")
    func renewedForEver() async throws {
        #expect(Store.maximumRenewedLeaseDuration == .seconds(20))
        let patient = try store(maximumLeaseDuration: .seconds(3600), maximumRenewedLeaseDuration: .seconds(3600)),
            holder = UUID()
        try await patient.store.acquireWriteLease(for: holder)
        let end = await patient.store.holdEnd
        try await patient.store.acquireWriteLease(for: holder)
        #expect(await patient.store.holdEnd == end && end != nil)
        await patient.store.close()
        let brief = try store(maximumLeaseDuration: .seconds(3600), maximumRenewedLeaseDuration: .milliseconds(100))
        try await brief.store.acquireWriteLease(for: holder)
        try await eventually("writes go on") { await brief.store.holdBegan == nil }
        do {
            try await brief.store.acquireWriteLease(for: holder)
            Issue.record("the hold began again")
        } catch {
            #expect("\(error)".contains("Stop the server"), "\(error)")
        }
        await brief.store.close()
    }

    private func store(maximumLeaseDuration: Duration, maximumRenewedLeaseDuration: Duration) throws
        -> (store: Store, temporary: TemporaryDirectory)
    {
        let temporary = TemporaryDirectory()
        let store = try Store(
            directory: DataDirectory(path: temporary.path), schema: .snapshots(), sortIndexes: [],
            maximumLeaseDuration: maximumLeaseDuration, maximumRenewedLeaseDuration: maximumRenewedLeaseDuration)
        return (store, temporary)
    }

    @Test("A hold ends with its connection, cannot begin again, and does not affect other holders")
    func abandoned() async throws {
        let fixture = try StoreFixture.snapshots(), first = UUID(), second = UUID()
        try await fixture.store.acquireWriteLease(for: first)
        let waiting = Task { try await fixture.insert(Site(code: "A1")) }
        try await eventually("the write is held") { await fixture.store.heldJobs == 1 }
        await fixture.store.abandonWriteLease(for: second)
        #expect(await fixture.store.holdBegan != nil)
        await fixture.store.abandonWriteLease(for: first)
        #expect(try await waiting.value.commit == 1)
        await #expect(throws: StoreError.self) { try await fixture.store.acquireWriteLease(for: first) }
        try await fixture.store.acquireWriteLease(for: second)
        await fixture.store.releaseWriteLease(for: second)
    }

    @Test("Closing the store answers the writes that wait for a release")
    func heldAndClosed() async throws {
        let fixture = try StoreFixture.snapshots()
        try await fixture.store.acquireWriteLease(for: UUID())
        let waiting = Task { try await fixture.insert(Site(code: "A1")) }
        try await eventually("the write is held") { await fixture.store.heldJobs == 1 }
        await fixture.store.close()
        // The write may be stored at the last moment or rejected, but it is answered.
        _ = await waiting.result
    }
}
