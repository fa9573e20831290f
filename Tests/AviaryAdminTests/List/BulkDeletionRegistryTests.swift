import BrowseFeature
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryAdmin

@Suite("The deletes that a worker has begun")
struct BulkDeletionRegistryTests {
    private let registry = BulkDeletionRegistry(), changeSet = UUID()
    private let ending = AsyncStream<DeleteOutcome>.makeStream()

    /// Begins a delete, stops it, and returns its outcome.
    private func stopped(endingWith outcome: DeleteOutcome) async throws -> DeleteOutcome? {
        let stops = AsyncStream<Void>.makeStream()
        await registry.begin(changeSet, stop: { stops.continuation.yield() }) { [stream = ending.stream] in
            for await outcome in stream { return outcome }
            return .stopped
        }
        #expect(await registry.stop(changeSet))
        // The store is asked to stop it.
        for await _ in stops.stream { break }
        ending.continuation.yield(outcome)
        return await registry.outcome(of: changeSet, within: Patience.bound)
    }

    /// Begins a delete and stops it while the store cannot be asked, and returns the attempts to ask the store.
    private func stopsWhileAway() async -> AsyncStream<Void> {
        struct Away: Error {}
        let stops = AsyncStream<Void>.makeStream()
        let stop: @Sendable () async throws -> Void = {
            stops.continuation.yield()
            throw Away()
        }
        await registry.begin(changeSet, stop: stop) { [stream = ending.stream] in
            for await outcome in stream { return outcome }
            return .stopped
        }
        #expect(await registry.stop(changeSet))
        return stops.stream
    }

    @Test(
        "The registry does not claim that a delete has stopped",
        arguments: [.unconfirmed(reason: "away"), .refused(reason: "away", isTemporary: true)] as [DeleteOutcome])
    func notStopped(outcome: DeleteOutcome) async throws {
        #expect(try await stopped(endingWith: outcome) == outcome)
    }

    @Test("A delete without an answer is stopped as soon as the store answers")
    func unconfirmedAndAway() async throws {
        struct Away: Error {}
        let isAway = Mutex(true), stops = AsyncStream<Void>.makeStream()
        await registry.begin(
            changeSet,
            stop: {
                stops.continuation.yield()
                if isAway.withLock({ $0 }) { throw Away() }
            }, { .unconfirmed(reason: "away") })
        _ = await registry.outcome(of: changeSet, within: Patience.bound)
        #expect(await registry.stop(changeSet))
        for await _ in stops.stream { break }
        #expect(await registry.isStopped(changeSet))
        isAway.withLock { $0 = false }
        try await eventually("the store knows the stop") { await !registry.isStopped(changeSet) }
    }

    @Test("An unknown outcome stays unknown while the store cannot be asked to stop the delete")
    func unconfirmedDuringStop() async throws {
        let unknown = DeleteOutcome.unconfirmed(reason: "away")
        for await _ in await stopsWhileAway() { break }
        ending.continuation.yield(unknown)
        #expect(await registry.outcome(of: changeSet, within: Patience.bound) == unknown)
    }

    @Test(
        "A repetition does not make an unknown outcome known",
        arguments: [.stopped, .refused(reason: "full", isTemporary: true)] as [DeleteOutcome])
    func repetition(outcome: DeleteOutcome) async throws {
        for outcome in [.unconfirmed(reason: "away"), outcome] {
            await registry.begin(changeSet, stop: {}, { outcome })
            _ = await registry.outcome(of: changeSet, within: Patience.bound)
        }
        let last = await registry.outcome(of: changeSet, within: Patience.bound)
        #expect(last == .unconfirmed(reason: "Couldn’t confirm the delete. Reload the page to check."))
    }

    @Test("A delete that is committed before it is stopped is deleted")
    func tooLate() async throws {
        let deleted = DeleteOutcome.deleted(ids: [changeSet], message: "Deleted Kea", commit: 1)
        #expect(try await stopped(endingWith: deleted) == deleted)
    }

    @Test("A delete of another worker, or one that has ended, is not stopped here")
    func elsewhere() async throws {
        #expect(await !registry.stop(changeSet))
        await registry.begin(changeSet, stop: { Issue.record("The store was asked to stop it.") }) {
            .refused(reason: "away", isTemporary: true)
        }
        let outcome = await registry.outcome(of: changeSet, within: Patience.bound)
        #expect(outcome == .refused(reason: "away", isTemporary: true))
        #expect(await !registry.stop(changeSet))
    }

    @Test("The store is asked to stop a delete again while it cannot be asked")
    func repeated() async throws {
        var count = 0
        for await _ in await stopsWhileAway() {
            count += 1
            if count == 3 { break }
        }
        ending.continuation.finish()
        #expect(await registry.outcome(of: changeSet, within: Patience.bound) == .stopped)
        #expect(await registry.isStopped(changeSet), "The store does not know it.")
    }
}
