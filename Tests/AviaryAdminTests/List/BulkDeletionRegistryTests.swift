import BrowseFeature
import Foundation
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

    @Test("A delete that is stopped and refused for the moment has stopped")
    func refused() async throws {
        #expect(try await stopped(endingWith: .refused(reason: "away", isTemporary: true)) == .stopped)
    }

    @Test("A delete that is stopped and not answered may be made, so it has not stopped")
    func unconfirmed() async throws {
        let outcome = try await stopped(endingWith: .unconfirmed(reason: "away"))
        #expect(outcome == .unconfirmed(reason: "away"))
    }

    @Test("A delete without an answer is stopped as soon as the store answers, also after its end")
    func unconfirmedAndAway() async throws {
        struct Away: Error {}
        let stops = AsyncStream<Int>.makeStream(), attempts = Counter()
        let stop: @Sendable () async throws -> Void = {
            let attempt = await attempts.next()
            stops.continuation.yield(attempt)
            if attempt < 5 { throw Away() }
        }
        await registry.begin(changeSet, stop: stop) { .unconfirmed(reason: "away") }
        _ = await registry.outcome(of: changeSet, within: Patience.bound)
        #expect(await !registry.stop(changeSet), "It has ended here.")

        await registry.begin(changeSet, stop: stop) { [stream = ending.stream] in
            for await outcome in stream { return outcome }
            return .stopped
        }
        #expect(await registry.stop(changeSet))
        for await attempt in stops.stream where attempt == 1 { break }
        // The store may make the first request although it refuses the second.
        ending.continuation.yield(.refused(reason: "Not deleted", isTemporary: true))
        let outcome = await registry.outcome(of: changeSet, within: Patience.bound)
        #expect(outcome == .unconfirmed(reason: "away"))
        for await attempt in stops.stream where attempt == 5 { break }
        try await eventually("nobody stops it any more") { await !registry.isStopped(changeSet) }
    }

    private actor Counter {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
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
        var count = 0
        for await _ in stops.stream {
            count += 1
            if count == 3 { break }
        }
        ending.continuation.finish()
        #expect(await registry.outcome(of: changeSet, within: Patience.bound) == .stopped)
        #expect(await !registry.isStopped(changeSet))
    }
}
