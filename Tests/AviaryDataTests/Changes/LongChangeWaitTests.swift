import AviaryDomain
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AviaryData

@Suite("Waiting for long changes")
struct LongChangeWaitTests {
    /// The messages about one request.
    private final class Outcome: Sendable {
        private let state = Mutex<(postponements: Int, answers: [Result<Receipt?, StoreError>])>((0, []))

        var postponements: Int { state.withLock { $0.postponements } }
        var answers: [Result<Receipt?, StoreError>] { state.withLock { $0.answers } }

        func request(_ change: Change) -> QueuedWrite {
            QueuedWrite(.submit(ChangeSet(author: "test", changes: [change])), before: nil) {
                self.state.withLock { $0.postponements += 1 }
            } answer: { result in
                self.state.withLock { $0.answers.append(result) }
            }
        }
    }

    @Test("A save that waits for a large delete is refused after ten minutes, and not before")
    func tooLong() async throws {
        let clock = MovableClock()
        let fixture = try StoreFixture(
            .rules(), now: { clock.wall }, uptime: { clock.uptime }, stepLimits: .smallest)
        let store = fixture.store
        let zone = Zone(), otherZone = Zone(), cage = Cage(in: zone)
        try await fixture.insert(zone, otherZone, cage)
        var moved = cage
        moved.zone = Reference(otherZone)
        await store.limitSteps(to: 3)
        async let receipt = fixture.submit(zone.deletion)
        await store.waitUntilStepsAreUsed()
        let outcome = Outcome()
        store.enqueue([outcome.request(moved.update(from: 1))])
        try await eventually("it is postponed") { outcome.postponements == 1 }
        clock.pass(599)
        await store.limitSteps(to: 1)
        await store.waitUntilStepsAreUsed()
        #expect(outcome.answers.isEmpty)
        clock.pass(1)
        await store.limitSteps(to: 1)
        await store.waitUntilStepsAreUsed()
        #expect(outcome.answers.map(\.error) == [.postponedTooLong])
        await store.limitSteps(to: .max)
        _ = try await receipt
        await store.finishLongChange()
        #expect(outcome.answers.count == 1 && outcome.postponements == 1)
        #expect(try await fixture.count(Cage.self) == 0)
        #expect(store.backlog.jobCount == 0)
    }

    @Test("A large delete that waits for another is refused after ten minutes, and the one under way is not")
    func waitingDelete() async throws {
        let clock = MovableClock()
        let fixture = try StoreFixture(
            .rules(), now: { clock.wall }, uptime: { clock.uptime }, stepLimits: .smallest)
        let store = fixture.store
        let zones = [Zone(), Zone()], cages = zones.map { Cage(in: $0) }
        try await fixture.insert(zones[0], zones[1], cages[0], cages[1])
        let outcomes = [Outcome(), Outcome()]
        await store.limitSteps(to: 2)
        store.enqueue([outcomes[0].request(zones[0].deletion)])
        await store.waitUntilStepsAreUsed()
        store.enqueue([outcomes[1].request(zones[1].deletion)])
        try await eventually("it is postponed") { outcomes[1].postponements == 1 }
        clock.pass(600)
        await store.limitSteps(to: .max)
        await store.finishLongChange()
        #expect(outcomes[0].answers.map(\.isSuccess) == [true])
        #expect(outcomes[1].answers.map(\.error) == [.postponedTooLong])
        #expect(try await fixture.count(Zone.self) == 1)
    }

    @Test("The time of a job that was postponed is not that of its caller")
    func lateness() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000)
        let past = MonotonicTime(nanoseconds: 1)
        let postponements = Tally()
        var job = Job(
            work: .request(.discard(draft: .version7())), deadline: past, postponed: { postponements.add() },
            answer: { _ in })
        #expect(job.lateness { start } == .expired)
        job.postpone(from: start)
        job.postpone(from: start.advanced(by: .seconds(60)))
        #expect(postponements.value == 1)
        #expect(job.lateness { start.advanced(by: .seconds(599)) } == nil)
        #expect(job.lateness { start.advanced(by: .seconds(600)) } == .postponedTooLong)
    }
}
