@testable import AviaryLoad
import Testing

@Suite struct PaceTests {
    @Test func turnsAreEvenlySpaced() {
        let start = ContinuousClock.now
        let pace = OpenLoop(start: start, duration: .seconds(10), rate: 4)
        #expect(pace.intendedStart(of: 0) == start)
        #expect(pace.intendedStart(of: 3) == start + .milliseconds(750))
        #expect(pace.unsent == 40)
    }

    @Test func whoComesLateGetsTheTimeThatWasMeant() async throws {
        let start = ContinuousClock.now - .seconds(1)
        let pace = OpenLoop(start: start, duration: .seconds(60), rate: 10)
        let turns = [await pace.next(), await pace.next(), await pace.next()]
        #expect(turns == [start, start + .milliseconds(100), start + .milliseconds(200)])
    }

    @Test func nobodyBeginsEarly() async throws {
        let start = ContinuousClock.now
        let pace = OpenLoop(start: start, duration: .seconds(60), rate: 20)
        _ = await pace.next()
        let second = try #require(await pace.next())
        #expect(second == start + .milliseconds(50))
        #expect(ContinuousClock.now >= second)
    }

    @Test func whatWasDueAndNotBegunIsCounted() async {
        let pace = OpenLoop(start: .now - .seconds(2), duration: .seconds(1), rate: 100)
        #expect(await pace.next() == nil)
        #expect(pace.unsent == 100)
    }

    @Test func aClosedLoopEnds() async {
        #expect(await ClosedLoop(end: .now + .seconds(60)).next() != nil)
        #expect(await ClosedLoop(end: .now).next() == nil)
    }

    @Test func mixtureIsComplete() {
        let actions = (0..<100).map { Scenario.mixed.action($0) }
        #expect(Set(actions) == [.add, .browse, .edit, .delete, .cancelDraft, .refusedAdd])
        #expect(actions.count { $0 == .add } == 25)
    }
}
